-- Each outbound event says itself whom it tells of, so that an erasure finds it whatever its type and its data are.

alter table outbound_events
  -- The customer whose number or words are in data; null where it holds neither, as nearly every status of a message.
  add column tells_of uuid;

update outbound_events e set tells_of = known.customer_id
from (
  select workspace_id, id, (data ->> 'customerId')::uuid as customer_id
  from outbound_events where type in ('message.received', 'sale.created')
  union all
  select e.workspace_id, e.id, co.customer_id
  from outbound_events e
  join conversations co on co.workspace_id = e.workspace_id and co.id::text = e.data ->> 'conversationId'
  where e.type = 'message.status' and e.data ->> 'detail' is not null
  union all
  select workspace_id, outbound_event_id, customer_id from consents where outbound_event_id is not null
) known
where e.workspace_id = known.workspace_id and e.id = known.id;

-- The index of before repeated types and fields. A customer's id is unique in itself, and readers name the workspace.
drop index outbound_events_of_person;
create index outbound_events_of_person on outbound_events (tells_of) where tells_of is not null;
