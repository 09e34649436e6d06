/**
 * A database that has been in use for a while: millions of rows in a few workspaces, put there by PostgreSQL itself in
 * some seconds. Ids are told from a sort and a number, so that rows refer to each other without being looked up.
 *
 * Everything is told from the number `n` of a row: its last digit says whose it is. Six of ten are of the workspace 0,
 * the others of 1 to 4. What waits falls due in an hour and later. The customer 0 has had far more events than any other,
 * every rare one among them; nothing happened in workspace 4 but that messages came in.
 */
import type { Database, Sql } from '../../src/db/client.ts'
import { type TestDatabase, testDatabase } from './database.ts'

/** How much there is of what comes in masses. */
export const filled = {
  customers: 200_000,
  events: 1_000_000,
  runs: 200_000,
  waitingRuns: 100_000,
  conversations: 50_000,
  messages: 150_000,
  waitingMessages: 10_000,
  outboundEvents: 250_000,
  deliveries: 1_000_000,
  waitingDeliveries: 200_000,
  attempts: 200_000,
  endpoints: 50,
  sales: 100_000,
  campaigns: 100,
  recipients: 120_000,
  auditEntries: 200_000,
} as const

type Sort =
  | 'workspace'
  | 'customer'
  | 'event'
  | 'workflow'
  | 'run'
  | 'channel'
  | 'conversation'
  | 'message'
  | 'outbound event'
  | 'webhook'
  | 'delivery'
  | 'user'
  | 'sale'
  | 'template'
  | 'campaign'
  | 'audit entry'

const sorts: Record<Sort, string> = {
  workspace: 'a01',
  customer: 'a02',
  event: 'a03',
  workflow: 'a04',
  run: 'a05',
  channel: 'a06',
  conversation: 'a07',
  message: 'a08',
  'outbound event': 'a09',
  webhook: 'a0a',
  delivery: 'a0b',
  user: 'a0c',
  sale: 'a31',
  template: 'a32',
  campaign: 'a1c',
  'audit entry': 'a2a',
}

/** A UUIDv7 of the spring of 2025; those of larger numbers are younger. */
const firstMs = 0x0195_6000_0000

/** The id of the row with this number. */
export const idOf = (sort: Sort, n: number): string => {
  const hex = (firstMs + n).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${sorts[sort]}-8000-000000000000`
}

/** The same, as PostgreSQL is told it. */
const id = (sort: Sort, n: string): string =>
  `('0' || to_hex(${firstMs} + (${n})) || '7${sorts[sort]}8000000000000000')::uuid`

/** Which workspace the row with this number is of. */
export const placeOf = (n: number): number => Math.max((n % 10) - 5, 0)

const place = (n: string): string => `greatest(${n} % 10 - 5, 0)`
const workspace = (n: string): string => id('workspace', place(n))
/** Another row of the same workspace: `step` apart, so that they come in no order; a prime. */
const another = (sort: Sort, n: string, count: number, step: number): string =>
  id(sort, `${n} % 10 + 10 * (${n} / 10 * ${step} % ${count / 10})`)
const at = (n: string, count: number): string => `now() - interval '90 days' + ${n} * (interval '90 days' / ${count})`
const upTo = (count: number): string => `generate_series(0, ${count - 1}) n`
/** One of `count / part` rows, of each workspace alike. */
const oneOf = (parts: number): string => `n / 10 % ${parts} = 0`

/** The first rows that wait are due already. */
const dueFrom = (n: string, due: number): string =>
  `case when ${n} < ${due} then interval '-1 day' else interval '1 hour' end`

const { customers, events, runs, conversations, messages, outboundEvents, deliveries, attempts, sales } = filled

const small = `
  insert into workspaces (id, name, plan_id) select ${id('workspace', 'n')}, 'Shop ' || n, 'unlimited' from generate_series(0, 4) n;
  insert into workspaces (id, name, plan_id) select ${id('workspace', 'n')}, 'Shop ' || n, 'free' from generate_series(5, 1999) n;
  insert into users (id, email, name, password_hash)
    select ${id('user', 'n')}, 'user' || n || '@shop.example', 'User ' || n, 'none' from ${upTo(4000)};
  insert into members (workspace_id, user_id, role, joined_at)
    select ${id('workspace', 'n % 2000')}, ${id('user', 'n')}, 'agent', now() from ${upTo(4000)};
  insert into sessions (token_hash, user_id, expires_at)
    select sha256(n::text::bytea), ${id('user', 'n % 1000')}, now() + (n - 2000) * interval '1 hour' from ${upTo(10_000)};
  insert into account_links (token_hash, user_id, kind, mailed, expires_at)
    select sha256(n::text::bytea), ${id('user', 'n % 1000')}, 'reset', true, now() + (n - 2000) * interval '1 minute' from ${upTo(4000)};
  insert into second_factors (user_id, secret, confirmed_at)
    select ${id('user', 'n')}, 'sealed', now() from ${upTo(1000)};
  insert into sign_in_tickets (token_hash, user_id, expires_at)
    select sha256(n::text::bytea), ${id('user', 'n % 1000')}, now() + (n - 2000) * interval '1 minute' from ${upTo(4000)};
  insert into api_keys (workspace_id, name, prefix, key_hash)
    select ${id('workspace', 'n % 2000')}, 'key', 'ces_live_' || n, sha256(n::text::bytea) from ${upTo(4000)};
  insert into channels (workspace_id, id, kind, name)
    select ${id('workspace', 'n / 2')}, ${id('channel', 'n')}, 'sandbox', 'Channel' from ${upTo(10)};
  insert into webhooks (workspace_id, id, url, events, secret, held_at, rate_per_second, filter)
    select ${id('workspace', 'n / 10')}, ${id('webhook', 'n')}, 'https://example.com/' || n, '{message.status}', 'whsec_none',
      case when n % 10 = 7 then now() end, case when n % 10 = 8 then 100 end,
      case when n = 12 then '{"path": "data.status", "op": "eq", "value": "delivered"}'::jsonb end
    from ${upTo(50)};
  insert into webhook_health (workspace_id, webhook_id, failing_since, failed_attempts)
    select workspace_id, id, now(), 1 from webhooks;
  insert into webhook_recoveries (workspace_id, webhook_id, since, until, status, total, done, reached, last, page_size)
    select ${id('workspace', 'n % 50 / 10')}, ${id('webhook', 'n % 50')}, now() - interval '1 day', now(), 'completed', 1, 1,
      ${id('delivery', '0')}, ${id('delivery', '0')}, 16
    from ${upTo(20_000)};
  insert into workflows (workspace_id, id, name, enabled, draft, published_version, trigger_type)
    select ${id('workspace', 'n / 4')}, ${id('workflow', 'n')}, 'Workflow', true, '{}', 1, 'type.' || n % 4 from ${upTo(20)};
  insert into workflows (workspace_id, name, enabled, draft, trigger_type)
    select ${id('workspace', 'n')}, 'Workflow', false, '{}', 'type.1' from generate_series(5, 1999) n;
  insert into channels (workspace_id, kind, name)
    select ${id('workspace', 'n')}, 'sandbox', 'Channel' from generate_series(5, 1999) n;
  insert into webhooks (workspace_id, url, events, secret, deleted_at)
    select ${id('workspace', 'n')}, 'https://example.com/' || n, '{message.status}', 'whsec_none', now() - interval '1 year'
    from (select n from generate_series(5, 1999) n union all select 0 from generate_series(1, 3000)) removed;
  insert into templates (workspace_id, id, name, category, body, variables)
    select ${id('workspace', 'n % 5')}, ${id('template', 'n')}, 'Template', 'utility', 'Hello {{name}}', '[{"name": "name", "sample": "Ana"}]'
    from ${upTo(500)};
  insert into event_usage (workspace_id, month, lane, recorded)
    select ${id('workspace', 'n')}, date_trunc('month', now() at time zone 'utc' - interval '1 month' * month)::date, lane, 1000
    from generate_series(0, 4) n, generate_series(0, 24) month, generate_series(0, 7) lane;
  insert into tally_hours (workspace_id, hour, events)
    select ${id('workspace', 'n % 5')}, date_trunc('hour', now(), 'UTC') - n / 5 * interval '1 hour', 1 from ${upTo(50_000)};
  insert into tallies (workspace_id, hour, events)
    select ${id('workspace', 'n % 100')}, date_trunc('hour', now(), 'UTC'), 1 from ${upTo(20_000)};
  insert into tally_backfills (workspace_id, source)
    select ${id('workspace', 'n')}, unnest(array['events', 'runs', 'messages', 'deliveries', 'refusals']) from ${upTo(2000)};
  insert into refusals (workspace_id, problem, first_at, last_at, count, sender, method, path, status, code, message, request_id, open)
    select ${id('workspace', 'n % 5')}, sha256(n::text::bytea), now() - n * interval '6 minutes', now(), 1, 'custom', 'POST',
      '/v1/events', 400, 'invalid_request', 'no', uuidv7(), n < 100
    from generate_series(9999, 0, -1) n;
  insert into campaigns (workspace_id, id, name, channel_id, template_id, audience, status, started_at, filled_at, recipients,
      due_at, begun_to)
    select ${id('workspace', 'n / 20')}, ${id('campaign', 'n')}, 'Campaign', ${id('channel', 'n / 20 * 2')}, ${id('campaign', 'n')},
      '{"all": true}', case when n % 20 = 0 then 'running' when n % 4 = 1 then 'scheduled' else 'completed' end, now(), now(),
      case when n = 0 then ${filled.recipients} else 0 end, case when n % 4 < 2 then now() + interval '1 hour' end,
      case when n = 0 then ${id('customer', '160005')} end
    from ${upTo(filled.campaigns)};
  insert into sign_in_tries (who, tries, last_at) select sha256(n::text::bytea), array[now()], now() - n * interval '1 second' from ${upTo(10_000)};
  insert into try_budgets (who, whole_at) select sha256(n::text::bytea), now() + (5000 - n) * interval '1 second' from ${upTo(10_000)};
  insert into known_places (who, user_id, last_at)
    select sha256(n::text::bytea), ${id('user', 'n % 1000')}, now() - n * interval '20 minutes' from ${upTo(10_000)};`

const large: [table: string, text: string][] = [
  [
    'events',
    `insert into events (workspace_id, id, type, source, sender, customer_id, data, idempotency_key, matched_workflows, reason, created_at)
    select ${workspace('n')}, ${id('event', 'n')}, case when n % 5000 = 0 then 'rare' else 'type.' || n % 7 end, 'api', 'custom',
      case when n % 40 = 0 then ${id('customer', '0')} else ${another('customer', 'n', customers, 7919)} end, '{"total": 12}', case when n % 5 = 0 then 'key-' || n end, 1,
      case when n % 1000 = 1 then 'switched_off' when n % 2 = 1 then 'no_listener' end, ${at('n', events)}
    from ${upTo(events)}`,
  ],
  [
    'deliveries',
    `insert into deliveries (workspace_id, id, webhook_id, event_id, status, attempts, due_at, status_code, duration_ms, last_attempt_at, created_at)
    select ${workspace('(n / 4)')}, ${id('delivery', 'n')}, ${id('webhook', `${place('(n / 4)')} * 10 + n / 40 % 10`)},
      ${id('outbound event', 'n / 4')}, case when waits then 'retrying' when n % 25 = 3 then 'failed' else 'delivered' end, 1,
      case when waits then now() + ${dueFrom('n', 20_000)} + n % 100000 * interval '1 second' end,
      case when waits or n % 25 = 3 then 503 else 200 end, 12, ${at('n', deliveries)}, ${at('n', deliveries)}
    from (select n, n / 400 % 5 = 0 as waits from ${upTo(deliveries)}) rows`,
  ],
  [
    'outbound_events',
    `insert into outbound_events (workspace_id, id, type, data, created_at, fanned_out_at, sent_to, tells_of)
    select ${workspace('n')}, ${id('outbound event', 'n')},
      case when n % 5000 = 0 then 'ping' when ${oneOf(4)} or n % 10 = 9 then 'message.received' else 'message.status' end,
      '{"status": "delivered"}', ${at('n', outboundEvents)}, case when n < ${outboundEvents - 2000} then now() end, jsonb_build_object(
        ${id('webhook', `${place('n')} * 10 + n / 10 % 10`)}, ${id('delivery', 'n * 4')}),
      case when ${oneOf(4)} then ${another('customer', 'n', customers, 7919)} end
    from ${upTo(outboundEvents)}`,
  ],
  [
    'customers',
    `insert into customers (workspace_id, id, phone, external_id, name, attributes, opted_in_at, opted_out_at, erased_at, created_at)
    select ${workspace('n')}, ${id('customer', 'n')}, '+49151' || lpad(n::text, 8, '0'), case when n % 2 = 0 then 'customer-' || n end,
      'Name ' || n, '{"city": "Berlin"}', now(), case when n % 50 = 0 then now() end, case when n % 5000 = 9 then now() end, ${at('n', customers)}
    from ${upTo(customers)}`,
  ],
  [
    'conversations',
    `insert into conversations (workspace_id, id, channel_id, customer_id, handle, status, unread, waiting_since, assignee_id,
      last_inbound_at, active_at)
    select ${workspace('n')}, ${id('conversation', 'n')}, ${id('channel', `${place('n')} * 2 + n / 10 % 2`)}, ${id('customer', 'n')},
      '+49151' || lpad(n::text, 8, '0'), case when ${oneOf(20)} then 'open' else 'closed' end,
      case when ${oneOf(30)} then 1 else 0 end, case when ${oneOf(40)} then now() end,
      case when ${oneOf(50)} then ${id('user', '1')} end, case when n % 3 > 0 then ${at('n', conversations)} end,
      ${at('n', conversations)}
    from ${upTo(conversations)}`,
  ],
  [
    'handles',
    `insert into handles (workspace_id, channel_id, handle, customer_id)
    select ${workspace('n')}, ${id('channel', `${place('n')} * 2 + n / 10 % 2`)}, 'US.' || n, ${id('customer', 'n')}
    from ${upTo(conversations)}`,
  ],
  [
    'consents',
    `insert into consents (workspace_id, customer_id, kind, source, words)
    select ${workspace('n')}, ${id('customer', 'n')}, 'opt_in', 'api', 'form' from ${upTo(customers)}`,
  ],
  [
    'messages',
    `insert into messages (workspace_id, id, channel_id, conversation_id, customer_id, direction, text, status, run_id, run_step, due_at, created_at)
    select ${workspace('n')}, ${id('message', 'n')}, ${id('channel', `${place('n')} * 2 + n / 10 % 2`)},
      ${another('conversation', 'n', conversations, 7919)}, ${another('customer', 'n', conversations, 7919)}, 'outbound', 'Hello',
      case when ${oneOf(15)} then 'queued' else 'read' end, ${id('run', 'n')}, 1,
      case when ${oneOf(15)} then now() + ${dueFrom('n', 15_000)} + n * interval '1 second' end, ${at('n', messages)}
    from ${upTo(messages)}`,
  ],
  [
    'sales',
    `insert into sales (workspace_id, id, conversation_id, customer_id, amount, currency, note, marked_by, marked_by_id, created_at)
    select ${workspace('n')}, ${id('sale', 'n')},
      case when n % 40 = 0 then ${id('conversation', '0')} else ${another('conversation', 'n', conversations, 7919)} end,
      case when n % 40 = 0 then ${id('customer', '0')} else ${another('customer', 'n', conversations, 7919)} end, 12.50, 'EUR', 'cart',
      'user', ${id('user', '1')}, uuid_extract_timestamp(${id('sale', 'n')})
    from ${upTo(sales)}`,
  ],
  [
    'message_statuses',
    `insert into message_statuses (workspace_id, message_id, status)
    select ${workspace('n')}, ${id('message', 'n')}, 'read' from ${upTo(messages)}`,
  ],
  [
    'workflow_runs',
    `insert into workflow_runs (workspace_id, id, workflow_id, version, customer_id, event_id, status, step_id, waiting, wake_at, end_reason, ended_at, created_at)
    select ${workspace('n')}, ${id('run', 'n')}, ${id('workflow', `${place('n')} * 4 + n / 10 % 4`)}, 1,
      ${another('customer', 'n', customers, 7919)}, ${id('event', 'n')}, case when ${oneOf(2)} then 'active' when ${oneOf(9)} then 'failed' else 'done' end, 'wait', ${oneOf(2)},
      case when ${oneOf(2)} then now() + ${dueFrom('n', 4000)} + n * interval '1 second' end, case when ${oneOf(2)} then null when ${oneOf(9)} then 'too_many_steps' else 'completed' end,
      case when ${oneOf(2)} then null else now() - n * interval '1 second' end,
      ${at('n', runs)}
    from ${upTo(runs)}`,
  ],
  [
    'run_waits',
    `insert into run_waits (workspace_id, customer_id, kind, event_type, run_id)
    select ${workspace('n')}, ${another('customer', 'n', customers, 7919)}, kind, case when kind = 'event' then 'type.1' else '' end, ${id('run', 'n')}
    from (select n from ${upTo(runs)}) runs, unnest(array['event', 'reply', 'opt_out']) kind where ${oneOf(2)}`,
  ],
  [
    'run_looks',
    `insert into run_looks (workspace_id, run_id) select ${workspace('n')}, ${id('run', 'n')} from (select n from ${upTo(1000)}) looked`,
  ],
  [
    'workflow_awaits',
    `insert into workflow_awaits (workspace_id, event_type, workflow_id, version)
    select ${id('workspace', 'n % 5')}, 'type.' || n / 5 % 7, ${id('workflow', 'n')}, 1 from generate_series(0, 199) n`,
  ],
  [
    'workflow_run_steps',
    `insert into workflow_run_steps (workspace_id, run_id, position, step_id, outcome)
    select ${workspace('n')}, ${id('run', 'n')}, 1, 'wait', 'waited' from ${upTo(runs)}`,
  ],
  [
    'delivery_attempts',
    `insert into delivery_attempts (workspace_id, delivery_id, number, at, status_code, duration_ms, response_body, signature)
    select ${workspace('(n / 4)')}, ${id('delivery', 'n')}, 1, now(), 200, 12, 'ok', 't=1,v1=0' from ${upTo(attempts)}`,
  ],
  [
    'campaign_recipients',
    `insert into campaign_recipients (workspace_id, campaign_id, customer_id, outcome, message_id)
    select ${id('workspace', '0')}, ${id('campaign', '0')}, ${id('customer', 'n')},
      case when n < 150000 then 'sent' when n < 160000 then 'queued' else 'pending' end,
      case when n < 160000 then ${id('message', `n % 10 + 10 * (n / 10 % ${messages / 10})`)} end
    from ${upTo(customers)} where n % 10 < 6`,
  ],
  [
    'consents',
    `insert into consents (workspace_id, customer_id, kind, source, words)
    select ${workspace('n')}, ${id('customer', 'n')}, 'opt_in', 'api', 'form' from ${upTo(customers)}`,
  ],
  [
    'audit_entries',
    `insert into audit_entries (workspace_id, id, at, actor_type, actor_id, action, target_type, target_id)
    select ${workspace('n')}, ${id('audit entry', 'n')}, ${at('n', filled.auditEntries)}, 'user',
      case when n % 10000 = 0 then ${id('user', '2')} else ${id('user', '1')} end,
      case when n % 20000 = 0 then 'deleteWebhook' else 'signIn' end, 'webhook',
      case when n % 2 = 0 then ${id('webhook', '0')} else ${id('webhook', 'n % 1000 + 1')} end
    from ${upTo(filled.auditEntries)}`,
  ],
  [
    'event_outcomes',
    `insert into event_outcomes (workspace_id, event_id, position, workflow_id, verdict)
    select ${workspace('n')}, ${id('event', 'n')}, 0, ${id('workflow', `${place('n')} * 4`)}, 'switched_off'
    from generate_series(1, ${events - 1}, 10) n`,
  ],
]

/** A database of its own, filled. */
export const filledDatabase = async (): Promise<TestDatabase> => {
  const database = await testDatabase()
  await fill(database.sql)
  return database
}

/** Fills it. Without triggers and references, which would cost more than the rows. */
const fill = async (sql: Database): Promise<void> => {
  const put = (work: (tx: Sql) => Promise<unknown>) =>
    sql.begin(async tx => {
      await tx`set local session_replication_role = replica`
      await tx`set local synchronous_commit = off`
      await tx`set local statement_timeout = 0`
      await tx`set local maintenance_work_mem = '128MB'`
      await tx`set local max_parallel_maintenance_workers = 0`
      await work(tx)
    })
  await put(tx => tx.unsafe(small))
  const left = [...large]
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [table, text] = next
      await put(async tx => withoutIndexes(tx, table, () => tx.unsafe(text)))
    }
  }
  await Promise.all([lane(), lane()])
  await put(tx => tx`analyze`)
}

/** An index is made of what is there in a fraction of the time that its entries take one by one. */
const withoutIndexes = async (tx: Sql, table: string, work: () => Promise<unknown>): Promise<void> => {
  const indexes = await tx<{ name: string; definition: string; constraint: boolean }[]>`
    select i.indexrelid::regclass::text as name, c.oid is not null as constraint,
      coalesce('alter table ' || i.indrelid::regclass || ' add constraint ' || c.conname || ' ' || pg_get_constraintdef(c.oid),
        pg_get_indexdef(i.indexrelid)) as definition
    from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u')
    where i.indrelid = ${table}::regclass
      and not exists (select from pg_constraint r where r.conindid = i.indexrelid and r.contype = 'f')`
  for (const { name, constraint } of indexes)
    await (constraint ? tx`alter table ${tx(table)} drop constraint ${tx(name)}` : tx`drop index ${tx(name)}`)
  await work()
  for (const { definition } of indexes) await tx.unsafe(definition)
}
