-- The words by which the customers of a workspace opt out, also as messages are compared with them.

alter table opt_out_words
  add column normalised text[] not null default '{}';
