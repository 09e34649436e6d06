-- The rights of the two roles in their database. The running role can read and write what the migrating role creates. It
-- can create, change and drop no table.
alter database engagement owner to engagement_migrating;
alter schema public owner to engagement_migrating;
revoke all on database engagement from public;
revoke all on schema public from public;
grant connect on database engagement to engagement_running;
grant usage on schema public to engagement_running;
-- The tables of the tasks have row security without a policy, which admits only their owner. No other table has any.
alter role engagement_running bypassrls;
-- An erasure waits for older transactions. Without this right it would not see those of other roles.
grant pg_read_all_stats to engagement_running;
alter default privileges for role engagement_migrating grant usage on schemas to engagement_running;
-- `maintain` is for `analyze` alone of what the service does.
alter default privileges for role engagement_migrating
  grant select, insert, update, delete, maintain on tables to engagement_running;
alter default privileges for role engagement_migrating grant usage, select on sequences to engagement_running;
alter default privileges for role engagement_migrating grant execute on functions to engagement_running;
