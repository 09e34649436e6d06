-- When a provider dates the wish that opted a customer out: told again after an owner has lifted it, it is known by that.
-- online

-- step
alter table consents add column if not exists told_at timestamptz;

-- step
-- Whoever hears of such a wish asks for the last lift, and whether the wish is known, among much that is neither.
create index concurrently if not exists consents_turns on consents (workspace_id, customer_id, kind, at)
  where kind in ('opt_out', 'lift');
