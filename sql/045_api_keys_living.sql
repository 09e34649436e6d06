-- What counts the keys of a workspace that open something, however many were revoked.
-- online

-- step
create index concurrently if not exists api_keys_living on api_keys (workspace_id) where revoked_at is null;
