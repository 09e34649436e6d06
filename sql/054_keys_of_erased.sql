-- Idempotency keys may name a person. Of whoever was erased an event keeps the digest of its key alone, by which a repeat is
-- still known, and so does a message, in the key's place. Takes along those who were erased before. The release before
-- knows no digest: to it a repeat of such an event is new.
-- online

-- step
alter table events
  -- SHA-256 of the key; null where that is there itself, or there was none.
  add column if not exists key_digest bytea,
  -- What finds it: every event that is recorded with a key asks, and this is quickly made of the key.
  add column if not exists key_hash bigint;

-- step
create index concurrently if not exists events_key_hash on events (workspace_id, source, key_hash)
  where key_hash is not null;

-- step: again until nothing changes
update events e set key_digest = sha256(convert_to(e.idempotency_key, 'UTF8')),
  key_hash = hashtextextended(e.idempotency_key, 0), idempotency_key = null
from (
  select found.workspace_id, found.id from customers c
  cross join lateral (
    select e.workspace_id, e.id from events e
    where e.workspace_id = c.workspace_id and e.customer_id = c.id and e.idempotency_key is not null offset 0
  ) found
  where c.erased_at is not null limit 1000
) page
where e.workspace_id = page.workspace_id and e.id = page.id and e.idempotency_key is not null;

-- step: again until nothing changes
update messages m set idempotency_key = 'erased:' || encode(sha256(convert_to(m.idempotency_key, 'UTF8')), 'hex')
from (
  select found.workspace_id, found.id from customers c
  cross join lateral (
    select m.workspace_id, m.id from messages m
    where m.workspace_id = c.workspace_id and m.customer_id = c.id and m.idempotency_key is not null
      and not starts_with(m.idempotency_key, 'erased:') offset 0
  ) found
  where c.erased_at is not null limit 1000
) page
where m.workspace_id = page.workspace_id and m.id = page.id;
