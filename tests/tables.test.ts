/** Tests that one entity writes each table. Other code uses an SQL fragment of that entity. */
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { useDatabase } from './support/database.ts'

const database = useDatabase()

/** The tables that each folder or file of `src` writes. Only migrations write `plans` and `schema_migrations`. */
const tablesOf: Record<string, string> = {
  'accounts/api-keys': 'api_keys',
  'accounts/audit': 'audit_entries audit_retention',
  'accounts/members': 'members',
  'accounts/people': 'account_links',
  'accounts/rate-limits': 'attempt_budgets http_processes known_networks rate_limit_usage sign_in_attempts',
  'accounts/saved-views': 'saved_views',
  'accounts/second-factors': 'second_factors',
  'accounts/sessions': 'sessions sign_in_tickets',
  'accounts/single-sign-on': 'identities identity_links sso_states',
  'accounts/tokens': 'access_tokens',
  'accounts/users': 'users',
  'accounts/workspaces': 'workspaces',
  'core/changes': 'live_feed_changes live_feed_workspaces',
  customers: 'consents customers handles',
  'customers/sales': 'sales',
  events: 'event_outcomes event_usage events removed_events',
  'events/rejected-requests': 'rejected_requests',
  'messaging/campaigns': 'campaign_outcomes campaign_recipients campaigns',
  'messaging/channels': 'channels',
  'messaging/messages': 'conversations early_statuses inbox_actions message_statuses messages removed_messages',
  'messaging/opt-out-words': 'opt_out_words',
  'messaging/templates': 'templates',
  'platform/postgres/lease.ts': 'leases processes',
  'privacy/retention': 'retention_progress retention_watermarks',
  'privacy/workspaces': 'workspace_move_changes workspace_moves',
  'queue/hold': 'service_identity',
  'queue/pauses': 'service_pauses workspace_pauses',
  'queue/waits': 'run_arrivals run_rechecks run_waits',
  'webhooks/deliveries': 'deliveries delivery_attempts',
  'webhooks/endpoints': 'webhook_health webhooks',
  'webhooks/outbound-events': 'outbound_event_trims outbound_events',
  'webhooks/recoveries': 'webhook_recoveries',
  'webhooks/statistics': 'group_stats hourly_stat_changes hourly_stats',
  workflows: 'workflow_run_steps workflow_runs workflow_versions workflow_wait_events workflows',
}
const writers = new Map(
  Object.entries(tablesOf).flatMap(([writer, tables]) => tables.split(' ').map(table => [table, writer] as const)),
)

/**
 * Tables with enforced foreign keys. The check locks the referenced row, so a transaction that has locked the row
 * blocks the insert. One caller writes each table for one workspace, so that no other caller is blocked.
 */
const checked: Record<string, string> = {
  access_tokens: 'a person creates one; they end with the account',
  account_links: 'a person gets in again; they end with the account',
  api_keys: 'an owner makes one',
  channels: 'an owner connects one',
  identities: 'a person links one; they end with the account',
  identity_links: 'a person links an identity; they end with the account',
  known_networks: 'a person signs in, and what is known of them ends with the account',
  members: 'an owner invites somebody, who joins; they keep their workspace from being deleted',
  opt_out_words: 'an owner puts them',
  saved_views: 'a member saves one; they end with the membership',
  second_factors: 'a person sets one up; it ends with the account',
  sessions: 'a person signs in, and their sessions end with the account',
  sign_in_tickets: 'a person signs in; they end with the account',
  templates: 'an owner writes one',
  webhooks: 'an owner adds one',
  workflow_versions: 'a member publishes one',
  workflows: 'a member makes one',
  workspaces: 'an operator makes one',
}

/** Allowed exceptions as `writer: table`, with the reason. */
const exceptions: Record<string, string> = {
  'privacy/workspaces: ?':
    'moving or deleting a workspace covers every table, by a list that a test compares with the catalogue',
  'customers: conversations': 'lifting an opt-out settles possible opt-outs, and messages are built on customers',
  'queue/waits: workflow_runs': 'what happens to a customer wakes and ends runs, by nouns that workflows are built on',
}

const src = resolve(import.meta.dir, '../src')

/** Returns the tables that the statements in a source write to, and `?` for a name that is not part of the text. */
const writtenIn = (source: string): string[] => {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node)) found.push(...tablesIn(textOf(node.template)))
    if (ts.isCallExpression(node) && /\.unsafe$/.test(node.expression.getText()))
      found.push(...node.arguments.slice(0, 1).flatMap(text => tablesIn(textOf(text))))
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true))
  return found
}

/** Returns the text of a string or template, with a question mark for each placeholder. */
const textOf = (node: ts.Node): string => {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return ''
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('?')
}

/** `for update`, `for no key update` and `do update` do not write to another table. */
const writes =
  /(?:\binsert\s+into|(?<!\b(?:for|key|do)\s+)\bupdate|\bdelete\s+from|\bmerge\s+into|\btruncate(?:\s+table)?)\s+(?:only\s+)?"?([a-z_?][\w.?]*)/gi

const tablesIn = (statement: string): string[] => [...statement.matchAll(writes)].map(([, table]) => table!)

/** Returns the folder of the entity: the nearest one with an `index.ts`. Returns the path of a file outside entities. */
const writerOf = (path: string): string => {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
    if (existsSync(join(src, folder, 'index.ts'))) return folder
  return path
}

/** Moves the history of the demo into the past, in every table of the demo's own database. */
const movesHistory = 'app/cli/demo/history/shift.ts'

const written = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.ts') && path !== movesHistory)
  .flatMap(path =>
    writtenIn(readFileSync(join(src, path), 'utf8')).map(table => ({ path, writer: writerOf(path), table })),
  )

test('a table is only written by its entity', () => {
  const foreign = written.filter(
    ({ writer, table }) => writers.get(table) !== writer && !(`${writer}: ${table}` in exceptions),
  )
  expect(foreign.map(({ path, table }) => `${path} writes ${table}, which belongs to ${writers.get(table)}`)).toEqual(
    [],
  )
})

test('the exceptions contain no unused entry', () => {
  const needed = written.map(({ writer, table }) => `${writer}: ${table}`)
  expect(Object.keys(exceptions).filter(one => !needed.includes(one))).toEqual([])
})

test('every table has a writer', () => {
  const tables = new Set(written.map(({ table }) => table))
  expect([...writers.keys()].filter(table => !tables.has(table))).toEqual([])
})

test('every table is listed', async () => {
  const rows = await database.sql`select tablename from pg_tables where schemaname = 'public' order by tablename`
  expect(rows.map(({ tablename }) => tablename)).toEqual([...writers.keys(), 'plans', 'schema_migrations'].sort())
})

test('tables written for many callers together have no enforced foreign keys', async () => {
  const rows = await database.sql<{ name: string }[]>`
    select distinct conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and conenforced and connamespace = 'public'::regnamespace order by name`
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(checked).sort())
})

test.each([
  ['sql`insert into customers (id) values (1)`', ['customers']],
  ['sql`with x as (insert into consents as c select 1) update customers c set id = 1`', ['consents', 'customers']],
  ['this.sql`delete from leases where id = 1`', ['leases']],
  ['connection.unsafe("delete from events")', ['events']],
  [`sql\`with x as (\${sql\`delete from sessions\`}) select 1\``, ['sessions']],
  [`sql\`update \${sql(table)} set id = 1\``, ['?']],
  ['sql`truncate table rejected_requests`', ['rejected_requests']],
  ['sql`select id from events for update of events skip locked`', []],
  ['sql`insert into leases (id) values (1) on conflict (id) do update set id = 1`', ['leases']],
])('%s writes %p', (source, tables) => {
  expect(writtenIn(source)).toEqual(tables as string[])
})

test.each(['messages', 'conversations', 'outbound_events'])('rows of %s are inserted in one place', table => {
  const inserts = new RegExp(`insert into ${table}\\b`, 'gi')
  const found = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts'))
    .flatMap(path => [...readFileSync(join(src, path), 'utf8').matchAll(inserts)].map(() => path))
  expect(found).toHaveLength(1)
})
