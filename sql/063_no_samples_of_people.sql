-- To plan by, PostgreSQL keeps samples of what stands in each column, as it stands there. Of columns that tell of a customer,
-- or of an event that was told, none are kept where no statement looks for a value in them: an erasure would not reach
-- them. Of the others they are renewed after an erasure (src/domain/erasure/samples.ts).
alter table customers alter attributes set statistics 0, alter opt_in_evidence set statistics 0,
  alter opt_out_reason set statistics 0;
alter table consents alter words set statistics 0;
alter table events alter data set statistics 0;
alter table event_outcomes alter detail set statistics 0;
alter table workflow_runs alter answer set statistics 0;
alter table workflow_run_steps alter detail set statistics 0;
alter table messages alter text set statistics 0, alter detail set statistics 0, alter provider_template set statistics 0;
alter table message_statuses alter detail set statistics 0;
alter table early_statuses alter detail set statistics 0;
alter table sales alter note set statistics 0, alter void_reason set statistics 0;
alter table outbound_events alter data set statistics 0;
alter table delivery_attempts alter response_body set statistics 0;

-- Those that were taken before.
select pg_clear_attribute_stats(n.nspname::text, c.relname::text, a.attname::text, false)
from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
where n.nspname = current_schema() and a.attstattarget = 0 and not a.attisdropped;
