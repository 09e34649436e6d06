-- Whose an address is, whatever channel it was used on: who has said stop from there, and who an event's number belongs to.
-- online

-- step
create index concurrently if not exists handles_by_address on handles (workspace_id, handle);
