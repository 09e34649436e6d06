-- What ended the waits of a run: each arrival ends one. `seen_up_to` is then how far what arrived has been judged, of a
-- run whose time has come and that is not told of all at once.
alter table workflow_runs
  add column used uuid[] not null default '{}';
