-- A notification costs every commit a lock that all share, and wakes the outbox of every process. Whoever tells of
-- something makes the deliveries at once where it can; then the outbox holds nothing new, and nobody is notified.
-- Asked of each row as it is written: processes of an earlier release write rows that stand in the outbox, and are heard.

create or replace trigger outbound_events_notify after insert on outbound_events
  for each row when (new.fanned_out_at is null) execute function notify_outbound_events();
