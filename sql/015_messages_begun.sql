-- A message is marked before it is handed to its provider: whoever takes over from a process that died over it must not
-- hand it over a second time.

alter table messages
  -- When it began to be handed over; null = not yet, or the provider would not take it then.
  add column begun_at timestamptz,
  -- How often the provider asked for it to come later.
  add column put_off smallint not null default 0,
  drop constraint messages_status_check,
  -- `unknown`: handed over, and no answer came. Every row fits the narrower list of before, so none is looked through.
  add constraint messages_status_check
    check (status in ('queued', 'sent', 'delivered', 'read', 'failed', 'skipped', 'unknown', 'received')) not valid;

-- The kinds there are, the providers say (src/domain/channels/providers): one list, and no second one here to forget.
alter table channels drop constraint channels_kind_check;
