-- What a search for a part of a name, a phone or an external id is served by. Both extensions come with PostgreSQL and are
-- trusted: whoever may create schemas in the database may create them.
-- online

-- step
do $$
begin
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;
exception when insufficient_privilege or feature_not_supported or undefined_file then
  raise exception 'The database needs the extensions pg_trgm and btree_gin, which come with PostgreSQL: have somebody who may install them and run "create extension pg_trgm; create extension btree_gin" (now: %).', sqlerrm;
end
$$;

-- step
create index concurrently if not exists customers_search on customers using gin (
  workspace_id,
  (lower((coalesce(name, '') || E'\n' || coalesce(phone, '') || E'\n' || coalesce(external_id, '')) collate pg_c_utf8)) gin_trgm_ops
) where erased_at is null;
