-- Outbound events that a process of an earlier release wrote after 017 was applied: they do not say themselves whom they
-- tell of, and must be erased all the same.

-- As good as empty: what is written today says so, and a status without a detail tells of nobody.
create index outbound_events_untold on outbound_events (workspace_id, coalesce(data ->> 'customerId', data ->> 'conversationId'))
  where tells_of is null and (data ? 'customerId' or data ->> 'detail' is not null);
