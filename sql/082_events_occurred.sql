-- When an event occurred, as its sender says, and whether its idempotency key was used again for something else.
alter table events
  -- Null where the sender did not say.
  add column occurred_at timestamptz,
  -- What differed in repeats of its idempotency key ('type', 'customer', 'occurredAt', 'data'); null where nothing did.
  add column mismatch text[],
  -- When such a repeat was last noted.
  add column mismatched_at timestamptz;

-- A warning in the list of rejected events: the event that the idempotency key names.
alter table refusals add column event_id uuid;
