-- For how long entries of the audit log are kept. No row: for ever. The role that migrates writes it; the role that runs the
-- service reads it, and so cannot remove an entry before its time.
create table audit_retention (
  only_row boolean primary key default true check (only_row),
  kept_seconds double precision not null check (kept_seconds >= 86400)
);

-- Default privileges let another role write every new table.
do $$
declare
  other text;
begin
  for other in
    select distinct grantee::regrole::text
    from pg_class c, aclexplode(c.relacl) as a
    where c.oid = 'audit_retention'::regclass and a.grantee <> c.relowner and a.grantee <> 0
  loop
    execute format('revoke all on audit_retention from %s', other);
    execute format('grant select on audit_retention to %s', other);
  end loop;
end
$$;

-- The search path is fixed, so that no temporary table stands for the one that says the age.
create or replace function refuse_audit_change() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' and current_setting('audit.retention', true) = 'on'
    and old.at < now() - (select make_interval(secs => kept_seconds) from audit_retention) then
    return old;
  end if;
  raise exception 'Entries of the audit log are neither changed nor removed.' using errcode = 'integrity_constraint_violation';
end
$$;
