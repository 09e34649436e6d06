-- A link that signs somebody in: made by the operator, good once and for ten minutes.
alter table account_links drop constraint account_links_kind_check,
  add constraint account_links_kind_check check (kind in ('reset', 'confirmation', 'sign_in'));
