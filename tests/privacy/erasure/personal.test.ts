/** Tests that every personal column is declared, and that an erasure clears every declared column. */
import { describe, expect, test } from 'bun:test'
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
const tellingOfNoCustomer: Record<string, string[]> = {
  api_keys: ['name', 'prefix', 'key_hash'],
  // Contains the addresses of team members, and no text about customers (tests/api/routes/accounts/audit.test.ts).
  audit_entries: ['actor_type', 'action', 'target_type', 'detail', 'address'],
  campaign_recipients: ['outcome', 'reason'],
  // Contains text that an owner wrote. The name of a customer is inserted when the message is sent.
  campaigns: ['name', 'variables', 'audience', 'status', 'skipped_by'],
  channels: ['kind', 'name', 'number', 'status', 'status_detail', 'sandbox_delivery', 'credentials'],
  consents: ['kind', 'source'],
  conversations: ['status'],
  deliveries: ['status', 'error'],
  delivery_attempts: ['error', 'signature'],
  // Statuses of unknown messages, deleted after a week.
  early_statuses: ['provider_message_id', 'status'],
  event_outcomes: ['verdict'],
  // Contains a digest of the key, which detects a repeat permanently.
  events: ['type', 'source', 'sender', 'key_digest', 'reason', 'mismatch'],
  leases: ['kind'],
  members: ['role', 'email', 'name', 'token_hash'],
  message_statuses: ['status'],
  messages: ['direction', 'status', 'type', 'sent_by'],
  opt_out_words: ['words', 'normalised'],
  // Each event type declares the personal fields of its data. The tests below check them.
  outbound_events: ['type', 'data', 'sent_to', 'not_sent_to'],
  // A rejected request contains names of fields, but none of the sent values. A test of rejected requests checks this.
  rejected_requests: ['digest', 'sender', 'method', 'path', 'code', 'message', 'details'],
  sales: ['currency', 'marked_by'],
  live_feed_changes: ['kind'],
  templates: ['name', 'category', 'body', 'variables', 'provider'],
  // Contains a digest of the key.
  removed_events: ['source', 'key_digest', 'type', 'sender'],
  removed_messages: ['key_digest'],
  retention_watermarks: ['kind'],
  run_waits: ['kind', 'event_type'],
  run_arrivals: ['kind'],
  webhook_health: ['last_failed_error'],
  webhook_recoveries: ['status', 'page'],
  webhooks: [
    'url',
    'description',
    'events',
    'secret',
    'previous_secret',
    'secret_hash',
    'replaced_secret_hash',
    'name',
    'metadata',
    'header_names',
    'headers',
    'filter',
    'held_by',
  ],
  workflow_run_steps: ['step_id', 'outcome'],
  workflow_wait_events: ['event_type'],
  // Contains text from the workflow definition, and a hash of the key.
  workflow_runs: ['status', 'step_id', 'end_reason', 'end_detail', 'entry_key', 'consumed_arrivals'],
  workflow_versions: ['definition', 'template_ids'],
  workflows: ['name', 'draft', 'draft_errors', 'trigger_type'],
}

test('every text column is declared personal or listed as not personal', async () => {
  const columns = await world.database.sql<{ name: string }[]>`
    select c.table_name || '.' || c.column_name as name from information_schema.columns c
    where c.table_schema = 'public' and c.data_type in ('text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY')
      and exists (select from information_schema.columns w
        where w.table_schema = 'public' and w.table_name = c.table_name and w.column_name = 'workspace_id')`
  const named = (tables: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(tables).flatMap(([table, names]) => names.map(name => `${table}.${name}`))
  expect([...named(personalColumns), ...named(tellingOfNoCustomer)].sort()).toEqual(
    columns.map(({ name }) => name).sort(),
  )
})

const mark = 'Ada Unverwechselbar'

/** Creates a customer with a row in every table that refers to customers. */
const someone = async (): Promise<ErasedCustomer> => {
  const { sql } = world.database
  const { workspaceId } = world
  const customerId = newId()
  await sql`insert into customers (workspace_id, id, phone) values (${workspaceId}, ${customerId}, '+4915112345678')`
  await sql`insert into consents (workspace_id, customer_id, kind, source) values (${workspaceId}, ${customerId}, 'opt_in', 'api')`
  await sql`
    insert into handles (workspace_id, channel_id, handle, customer_id)
    values (${workspaceId}, uuidv7(), 'a', ${customerId})`
  const eventId = newId()
  await sql`
    insert into events (workspace_id, id, type, source, sender, customer_id, data, matched_workflows)
    values (${workspaceId}, ${eventId}, 'a', 'api', 'custom', ${customerId}, '{}', 1)`
  await sql`
    insert into event_outcomes (workspace_id, event_id, position, workflow_id, verdict)
    values (${workspaceId}, ${eventId}, 0, uuidv7(), 'not_run_for_customer')`
  await sql`
    with run as (
      insert into workflow_runs (workspace_id, workflow_id, version, customer_id, event_id, status)
      values (${workspaceId}, uuidv7(), 1, ${customerId}, ${eventId}, 'done') returning id
    )
    insert into workflow_run_steps (workspace_id, run_id, position, step_id, outcome)
    select ${workspaceId}, id, 0, 'a', 'sent' from run`
  await sql`
    with channel as (
      insert into channels (workspace_id, kind, name) values (${workspaceId}, 'sandbox', 'c') returning id
    ), conversation as (
      insert into conversations (workspace_id, channel_id, customer_id)
      select ${workspaceId}, id, ${customerId} from channel returning id, channel_id
    ), message as (
      insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, status)
      select ${workspaceId}, channel_id, id, ${customerId}, 'outbound', 'failed' from conversation returning id
    )
    insert into message_statuses (workspace_id, message_id, status) select ${workspaceId}, id, 'failed' from message`
  await sql`
    insert into early_statuses (workspace_id, channel_id, provider_message_id, status)
    values (${workspaceId}, uuidv7(), 'a', 'failed')`
  await sql`
    insert into sales (workspace_id, conversation_id, customer_id, amount, currency, marked_by, marked_by_id, created_at)
    values (${workspaceId}, uuidv7(), ${customerId}, 1, 'EUR', 'user', uuidv7(), now())`
  const [told] = await tell(sql, workspaceId, 'sale.created', { customerId })
  const deliveryId = newId()
  await sql`update outbound_events set sent_to = jsonb_build_object('x', ${deliveryId}::text) where id = ${told!}`
  await sql`
    insert into delivery_attempts (workspace_id, delivery_id, number, planned, at, duration_ms, signature)
    values (${workspaceId}, ${deliveryId}, 1, 8, now(), 1, 's')`
  return { workspaceId, customerId }
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

describe.each(outboundEventTypes)('%s', type => {
  const erased = erasedFieldsOf(type)

  test('accepts the erased values in its schema', () => {
    const data = { ...outboundEvents[type].example, ...erased }
    expect([...Value.Errors(outboundEvents[type].data, data)]).toEqual([])
  })

  test('keeps fields that are not personal and replaces personal fields by their declared values', async () => {
    const { sql } = world.database
    const customerId = newId()
    const personal = Object.fromEntries(Object.keys(erased).map(name => [name, mark]))
    const [id] = await tell(sql, world.workspaceId, type, { customerId, data: personal })
    const [other] = await tell(sql, world.workspaceId, type, { data: personal })
    await eraseTraces(sql, { workspaceId: world.workspaceId, customerId })
    const dataOf = async (one: string) => (await sql`select data from outbound_events where id = ${one}`)[0]!.data
    expect(await dataOf(id!)).toEqual({ ...outboundEvents[type].example, ...erased })
    expect(await dataOf(other!)).toEqual({ ...outboundEvents[type].example, ...personal })
  })
})

/**
 * Text fields that hold no personal data, only names that the workspace gave. Add a new field here, or declare it
 * personal.
 */
const wordsOfNobody = ['sale.created.currency', 'customer.opted_out.channel', 'campaign.completed.name']

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
