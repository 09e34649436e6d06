/** Tests that every personal column is declared, and that an erasure clears every declared column. */
import { expect, test } from 'bun:test'
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { newId } from '../../../src/core/ids.ts'
import { type ErasedCustomer, eraseTraces, personalColumns } from '../../../src/privacy/erasure/index.ts'
import { erasedFieldsOf, outboundEvents, outboundEventTypes } from '../../../src/webhooks/outbound-events/index.ts'
import { tell } from '../../support/outbox.ts'
import { useWorld } from '../../support/world.ts'

// No worker fans out the outbound events. The test sets `sent_to` itself.
const world = useWorld({ ROLES: 'http' })

/**
 * Columns that can hold text but no personal data of a customer: they belong to the service, the workspace or its team.
 * Add a new column here, or declare it personal where its entity is erased (src/core/personal-data.ts).
 */
const notPersonal: Record<string, string> = {
  api_keys: 'name prefix key_hash',
  // Contains the addresses of team members, and no text about customers (tests/api/routes/accounts/audit.test.ts).
  // Members of the team choose the names of their tokens.
  audit_entries: 'actor_type action target_type detail address via_token_name',
  campaign_recipients: 'outcome reason',
  // Contains text that an owner wrote. The name of a customer is inserted when the message is sent.
  campaigns: 'name variables audience status skipped_by',
  channels: 'kind name number status status_detail sandbox_delivery credentials',
  consents: 'kind source',
  conversations: 'status',
  deliveries: 'status error',
  delivery_attempts: 'error signature',
  // Statuses of unknown messages, deleted after a week.
  early_statuses: 'provider_message_id status',
  event_outcomes: 'verdict',
  // Contains a digest of the key, which detects a repeat permanently.
  events: 'type source sender key_digest reason mismatch traceparent',
  // Contains event types, codes of reasons and digests of rejected requests, and numbers.
  group_stats: 'kind unit group_id counts',
  event_usage: 'outcome type',
  hourly_stat_changes: 'kind group_id outcome reasons status_codes durations_ms',
  leases: 'kind',
  members: 'role email name token_hash kind',
  message_statuses: 'status',
  messages: 'direction status type sent_by traceparent',
  opt_out_words: 'words normalised',
  // Each event type declares the personal fields of its data. The tests below check them.
  outbound_events: 'type data sent_to not_sent_to traceparent',
  // A rejected request contains names of fields, but none of the sent values. A test of rejected requests checks this.
  // The sample has no values, and an erasure removes a sample whose names contain what identifies the customer.
  rejected_requests: 'digest sender method path code message details sample',
  // An erasure deletes a view that names the customer (tests/api/routes/accounts/saved-views.test.ts).
  saved_views: 'list name search',
  sales: 'currency marked_by',
  live_feed_changes: 'kind',
  templates: 'name category body variables provider',
  // Contains a digest of the key.
  removed_events: 'source key_digest type sender',
  removed_messages: 'key_digest',
  retention_watermarks: 'kind',
  run_waits: 'kind event_type',
  run_arrivals: 'kind',
  webhook_health: 'last_failed_error',
  webhook_recoveries: 'status kind types phase page',
  webhooks:
    'url description events secret previous_secret secret_hash replaced_secret_hash name metadata header_names headers ' +
    'filter held_by',
  workflow_run_steps: 'step_id outcome',
  workflow_wait_events: 'event_type',
  // Contains keys of rows that changed during a move, also the address of a handle. They are deleted with the move.
  workspace_move_changes: 'table_name key',
  workspace_moves: 'cell',
  workspace_pauses: 'kind',
  // Contains text from the workflow definition, and a hash of the key.
  workflow_runs: 'status step_id end_reason end_detail entry_key consumed_arrivals',
  workflow_versions: 'definition template_ids',
  workflows: 'name draft draft_errors trigger_type',
}

test('every text column is declared personal or listed as not personal', async () => {
  const columns = await world.database.sql<{ name: string }[]>`
    select c.table_name || '.' || c.column_name as name from information_schema.columns c
    where c.table_schema = 'public' and c.data_type in ('text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY')
      and exists (select from information_schema.columns w
        where w.table_schema = 'public' and w.table_name = c.table_name and w.column_name = 'workspace_id')`
  const named = (tables: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(tables).flatMap(([table, names]) => names.map(name => `${table}.${name}`))
  const others = Object.fromEntries(Object.entries(notPersonal).map(([table, names]) => [table, names.split(' ')]))
  expect([...named(personalColumns), ...named(others)].sort()).toEqual(columns.map(({ name }) => name).sort())
})

const mark = 'Ada Unverwechselbar'

/** Creates a customer with a row in every table that refers to customers. */
const someone = async (): Promise<ErasedCustomer> => {
  const { sql } = world.database
  const { workspaceId } = world
  const [customer_id, event_id, run_id, channel_id, message_id, delivery_id] = Array.from({ length: 6 }, () => newId())
  const insert = (table: string, row: Record<string, unknown>) =>
    sql`insert into ${sql(table)} ${sql({ workspace_id: workspaceId, ...row })}`
  await insert('customers', { id: customer_id, phone: '+4915112345678' })
  await insert('consents', { customer_id, kind: 'opt_in', source: 'api' })
  await insert('handles', { channel_id, handle: 'a', customer_id })
  const source = { type: 'a', source: 'api', sender: 'custom', data: {}, matched_workflows: 1 }
  await insert('events', { id: event_id, customer_id, ...source })
  const outcome = { position: 0, workflow_id: newId(), verdict: 'not_run_for_customer' }
  await insert('event_outcomes', { event_id, ...outcome })
  await insert('workflow_runs', { id: run_id, workflow_id: newId(), version: 1, customer_id, event_id, status: 'done' })
  await insert('workflow_run_steps', { run_id, position: 0, step_id: 'a', outcome: 'sent' })
  await insert('channels', { id: channel_id, kind: 'sandbox', name: 'c' })
  const conversation_id = newId()
  await insert('conversations', { id: conversation_id, channel_id, customer_id })
  const message = { channel_id, conversation_id, customer_id, direction: 'outbound', status: 'failed' }
  await insert('messages', { id: message_id, ...message })
  await insert('message_statuses', { message_id, status: 'failed' })
  await insert('early_statuses', { channel_id, provider_message_id: 'a', status: 'failed' })
  const marked = { marked_by: 'user', marked_by_id: newId(), created_at: new Date() }
  await insert('sales', { conversation_id, customer_id, amount: 1, currency: 'EUR', ...marked })
  const [emitted] = await tell(sql, workspaceId, 'sale.created', { customerId: customer_id! })
  await sql`update outbound_events set sent_to = jsonb_build_object('x', ${delivery_id!}::text) where id = ${emitted!}`
  const attempt = { number: 1, planned: 8, at: new Date(), duration_ms: 1, signature: 's' }
  await insert('delivery_attempts', { delivery_id, ...attempt })
  return { workspaceId, customerId: customer_id! }
}

/** Returns the tables with rows that contain the mark. */
const marked = async (): Promise<string[]> => {
  const { sql } = world.database
  const tables = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await sql`select 1 from ${sql(name)} t where t::text like ${`%${mark}%`}`
      return rows.map(() => name)
    }),
  )
  return found.flat().sort()
}

/** Writes the mark into a column of every row and returns the number of rows. */
const markColumn = async (table: string, column: string): Promise<number> => {
  const { sql } = world.database
  const [found] = await sql<{ isJson: boolean }[]>`
    select data_type = 'jsonb' as "isJson" from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and column_name = ${column}`
  const value = found!.isJson ? sql`jsonb_build_object('said', ${mark}::text)` : sql`${mark}`
  return (await sql`update ${sql(table)} set ${sql(column)} = ${value}`).count
}

test('an erasure clears every personal column, and no other column keeps the mark', async () => {
  const person = await someone()
  for (const [table, columns] of Object.entries(personalColumns))
    for (const column of columns) expect(await markColumn(table, column), `${table}.${column}`).toBeGreaterThan(0)
  expect(await marked()).toEqual(Object.keys(personalColumns).sort())
  await eraseTraces(world.database.sql, person)
  expect(await marked()).toEqual(['customers'])
  await world.expect(204, 'DELETE', `/v1/customers/${person.customerId}`)
  expect(await marked()).toEqual([])
})

test.each(outboundEventTypes)(
  '%s replaces personal fields by declared values that match its schema, and keeps others',
  async type => {
    const erased = erasedFieldsOf(type)
    const { example, data: schema } = outboundEvents[type]
    expect([...Value.Errors(schema, { ...example, ...erased })]).toEqual([])
    const { sql } = world.database
    const customerId = newId()
    const personal = Object.fromEntries(Object.keys(erased).map(name => [name, mark]))
    const [id] = await tell(sql, world.workspaceId, type, { customerId, data: personal })
    const [other] = await tell(sql, world.workspaceId, type, { data: personal })
    await eraseTraces(sql, { workspaceId: world.workspaceId, customerId })
    const dataOf = async (one: string) => (await sql`select data from outbound_events where id = ${one}`)[0]!.data
    expect(await dataOf(id!)).toEqual({ ...example, ...erased })
    expect(await dataOf(other!)).toEqual({ ...example, ...personal })
  },
)

/**
 * Text fields that hold no personal data, only names that the workspace gave. Add a new field here, or declare it
 * personal.
 */
const wordsOfNobody = [
  'sale.created.currency',
  'customer.opted_out.channel',
  'campaign.completed.name',
  ...['endpoint.failing', 'endpoint.recovered', 'endpoint.held', 'delivery.failed'].flatMap(type => [
    `${type}.name`,
    `${type}.host`,
  ]),
  ...['channel.failing', 'channel.recovered'].flatMap(type => [`${type}.kind`, `${type}.name`]),
  ...[
    'run.failed.stepId',
    'run.failed.workflowName',
    'channel.failing.detail',
    'endpoint.failing.error',
    'delivery.failed.error',
    'delivery.failed.eventType',
  ],
]

const holdsWords = (shape: TSchema): boolean =>
  shape.anyOf ? shape.anyOf.some(holdsWords) : shape.type !== undefined && !isNarrow(shape)

/** Returns whether a schema only allows numbers, ids, times or constants. These cannot hold personal data. */
const isNarrow = ({ type, format, const: named }: TSchema): boolean =>
  ['integer', 'number', 'boolean', 'null'].includes(type) || named !== undefined || format !== undefined

test('every text field of an event is declared personal or listed as not personal', () => {
  const found = outboundEventTypes.flatMap(type =>
    Object.entries<TSchema>(outboundEvents[type].data.properties)
      .filter(([name, shape]) => holdsWords(shape) && !(name in erasedFieldsOf(type)))
      .map(([name]) => `${type}.${name}`),
  )
  expect(found.sort()).toEqual([...wordsOfNobody].sort())
})
