-- Extensions for search. Both come with PostgreSQL and are trusted: a role that can create schemas in the database can
-- create them. `pg_trgm` serves the search for a part of a text, `btree_gin` allows `workspace_id` in the same index.
do $$
begin
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;
exception when insufficient_privilege or feature_not_supported or undefined_file then
  raise exception 'The database needs the extensions pg_trgm and btree_gin, which come with PostgreSQL: have somebody who may install them and run "create extension pg_trgm; create extension btree_gin" (now: %).', sqlerrm;
end
$$;
