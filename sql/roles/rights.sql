-- The rights of the two roles in their database. What the migrating one makes from now on, the running one may read and
-- write; it may make nothing, change no table and drop none.
alter database engagement owner to engagement_migrating;
alter schema public owner to engagement_migrating;
revoke all on database engagement from public;
revoke all on schema public from public;
grant connect on database engagement to engagement_running;
grant usage on schema public to engagement_running;
-- The tables of the tasks let in nobody but their owner, by row security without a policy; no other table has any.
alter role engagement_running bypassrls;
-- Erasing somebody waits for transactions that began before; those of other roles it would not see, and not wait for.
grant pg_read_all_stats to engagement_running;
alter default privileges for role engagement_migrating grant usage on schemas to engagement_running;
-- `maintain` is for `analyze` alone of what the service does.
alter default privileges for role engagement_migrating
  grant select, insert, update, delete, maintain on tables to engagement_running;
alter default privileges for role engagement_migrating grant usage, select on sequences to engagement_running;
alter default privileges for role engagement_migrating grant execute on functions to engagement_running;
