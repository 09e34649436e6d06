-- The e-mail address of a customer: kept and shown. Nobody is found by it, and nothing is sent to it, so that PostgreSQL
-- takes no samples of it (063).
alter table customers add column email text;
alter table customers alter email set statistics 0;
