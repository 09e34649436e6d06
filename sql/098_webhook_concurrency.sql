-- An owner can limit how many deliveries an endpoint receives at the same time.

-- Maximum number of concurrent attempts; null = no limit by its owner.
alter table webhooks add column max_concurrency smallint check (max_concurrency between 1 and 500);
