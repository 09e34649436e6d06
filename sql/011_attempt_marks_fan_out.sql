-- What each request said of itself (which attempt of how many, asked for by a person or not), and of each outbound event
-- which endpoints it went to and which were passed over. Both are kept as they were, because the settings and the
-- endpoints they follow from change afterwards.

alter table delivery_attempts
  -- Attempts planned in all when this one was made; null = made before that was written down.
  add column planned smallint,
  add column manual boolean not null default false;

-- Written by the very update that takes the event out of the outbox, so that it costs no further row version. Only the
-- endpoints that lived at that moment are in them: that one was deleted before, or made later, its own times tell.
alter table outbound_events
  -- Endpoint id -> id of the delivery that was made; null = none was.
  add column sent_to jsonb,
  -- Endpoint id -> `not_subscribed` or `disabled`; null = none was passed over.
  add column passed_over jsonb;

update outbound_events e set sent_to = made.sent_to
from (
  select workspace_id, event_id, jsonb_object_agg(webhook_id, id) as sent_to from deliveries group by workspace_id, event_id
) made
where e.workspace_id = made.workspace_id and e.id = made.event_id;
