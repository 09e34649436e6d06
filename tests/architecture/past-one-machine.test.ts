/**
 * Checks the rules of CONTRIBUTING.md, "One database today, several later", against the catalogue and every statement.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { type Catalogue, keyOf, readCatalogue, type Table } from '../support/catalogue.ts'
import { useDatabase } from '../support/database.ts'
import { type Judgement, judge, type Reach } from '../support/reach.ts'
import {
  gatheredInSrc,
  type Source,
  type Statement,
  sourcesOf,
  statementsIn,
  textsPastTemplates,
} from '../support/statements.ts'

const root = resolve(import.meta.dir, '../..')
const sources = sourcesOf(root)

const database = useDatabase()
let catalogue: Catalogue
beforeAll(async () => {
  catalogue = await readCatalogue(database.sql)
})

/** Known exceptions. A new one needs an equally good reason. */
const hindrancesOfToday = {
  'api_keys_key_hash_key is unique beyond one workspace':
    'a call brings a key, and the key says which workspace it is of',
  'members_token_hash_key is unique beyond one workspace': 'a link brings a token, and the token says who invites',
  'members_user_id_fkey joins members with users': 'a member is a user in a workspace: here the two meet',
  'workspaces_plan_id_fkey joins workspaces with plans': 'plans are few, and every database would have them',
}

/** Returns the tables and foreign keys that prevent a split of tenants over several databases. */
const hindrances = ({ tables, foreignKeys }: Catalogue): string[] => {
  const isOfTenants = (table: string) => tables.get(table)?.kind === 'tenant'
  const ofTables = [...tables.values()]
    .filter(({ kind }) => kind === 'tenant')
    .flatMap(table => hindrancesOf(table, keyOf(table.name)))
  const ofKeys = foreignKeys.flatMap(({ name, from, to }) => {
    if (!isOfTenants(from.table) && !isOfTenants(to.table)) return []
    if (!isOfTenants(from.table) || !isOfTenants(to.table)) return [`${name} joins ${from.table} with ${to.table}`]
    const place = from.columns.indexOf('workspace_id')
    return to.columns[place] === keyOf(to.table) ? [] : [`${name} does not hold to one workspace`]
  })
  return [...ofTables, ...ofKeys].sort()
}

const hindrancesOf = ({ name, columns, uniques }: Table, key: string): string[] => {
  if (!columns.has(key)) return [`${name} has no ${key}`]
  const primary = uniques.find(unique => unique.primary)
  return [
    ...(primary?.columns[0] === key ? [] : [`${name} has no primary key that begins with ${key}`]),
    ...uniques
      .filter(unique => !unique.primary && !unique.columns.includes(key))
      .map(unique => `${unique.name} is unique beyond one workspace`),
  ]
}

describe('tenant tables can be split over several databases by workspace', () => {
  test('each key starts with the workspace, and references stay within it, with few exceptions', () => {
    expect(hindrances(catalogue)).toEqual(Object.keys(hindrancesOfToday).sort())
  })

  test('there are more than twenty tenant tables', () => {
    expect([...catalogue.tables.values()].filter(({ kind }) => kind === 'tenant').length).toBeGreaterThan(20)
  })

  test('no view or function hides a table from the statements', async () => {
    const hiding = await database.sql<{ name: string }[]>`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm', 'f')
      union all
      select proname from pg_proc p where pronamespace = 'public'::regnamespace
        and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      order by name`
    // Allowed: pure computations, a notification, a function that rejects, and one that always holds. Functions of
    // extensions use no table.
    expect(hiding.map(({ name }) => name)).toEqual([
      'event_type_spelling',
      'notify_outbound_events',
      'probe_index',
      'reject_audit_change',
    ])
  })

  test.each([
    ['create table stray (id uuid primary key)', 'stray has no workspace_id'],
    ['create table stray (workspace_id uuid)', 'stray has no primary key that begins with workspace_id'],
    [
      'create table stray (workspace_id uuid, id uuid primary key)',
      'stray has no primary key that begins with workspace_id',
    ],
    [
      'create table stray (workspace_id uuid, id uuid, primary key (id, workspace_id))',
      'stray has no primary key that begins with workspace_id',
    ],
    ['create unique index stray on events (id)', 'stray is unique beyond one workspace'],
    [
      'create unique index stray on customers (lower(phone)) where phone is not null',
      'stray is unique beyond one workspace',
    ],
    ['alter table messages add constraint stray unique (provider_message_id)', 'stray is unique beyond one workspace'],
    [
      'alter table customers add exclude using hash (external_id with =)',
      'customers_external_id_excl is unique beyond one workspace',
    ],
    [
      'alter table consents add constraint stray foreign key (event_id, customer_id) references events (workspace_id, id)',
      'stray does not hold to one workspace',
    ],
    [
      'alter table members add constraint stray foreign key (user_id) references workspaces',
      'stray does not hold to one workspace',
    ],
    ['alter table workflows add author uuid constraint stray references users', 'stray joins workflows with users'],
    ['alter table users add home uuid constraint stray references workspaces', 'stray joins users with workspaces'],
    [
      'alter table messages add brought_by text constraint stray references schema_migrations',
      'stray joins messages with schema_migrations',
    ],
  ])('detects: %s', async (change, hindrance) => {
    const found = await changed(change)
    expect(found.filter(one => !hindrances(catalogue).includes(one))).toEqual([hindrance])
  })

  test.each([
    'create table fine (workspace_id uuid references workspaces, id uuid, primary key (workspace_id, id))',
    'create unique index fine on events (type, workspace_id)',
    `alter table messages add constraint fine foreign key (channel_id, workspace_id) references channels (id, workspace_id)`,
    'alter table sessions add constraint fine unique (user_id, created_at)',
  ])('accepts: %s', async change => {
    const unique = 'create unique index on channels (id, workspace_id);'
    expect(await changed(`${unique} ${change}`)).toEqual(hindrances(catalogue))
  })
})

/** Returns what the rules report after this change of the catalogue. The change is rolled back. */
const changed = async (change: string): Promise<string[]> => {
  let found: string[] = []
  const undone = new Error('undone')
  await database.sql
    .begin(async tx => {
      await tx.unsafe(change)
      found = hindrances(await readCatalogue(tx))
      throw undone
    })
    .catch(error => {
      if (error !== undone) throw error
    })
  return found
}

/** Statements across workspaces. With several databases, their callers would query each one. */
const acrossWorkspaces = {
  readLags: 'how late the oldest row of all is',
  readBacklogLag: 'whether more than a few rows of all are late',
  findDueEndpoints: 'the sweep',
  findDueChannels: 'the sweep',
  findDueCampaigns: 'the sweep',
  fanOutPage: 'the outbox is one mailbox',
  nextRunDue: 'the runs are one mailbox',
  claimDueRuns: 'the runs are one mailbox',
  failFirstDueRun: 'the runs are one mailbox',
  resumeWoken: 'the runs are one mailbox',
  findRunsToRecheck: 'the runs are one mailbox',
  findEndpointsToDrop: 'pruning',
  findStalledRecoveries: 'pruning',
  rollUpPage: 'tallies are added up, whosever they are',
  deleteOldRejectedRequests: 'pruning',
  deleteExpiredSecrets: 'pruning',
  findEncryptedWebhooks: 'all that is sealed is sealed anew',
  findEncryptedChannels: 'all that is sealed is sealed anew',
  findFailingChannels: 'a key is there again, for all',
  selectEventUsage: 'looking whose month is nearly full, page by page',
  deleteOldEntries: 'pruning',
  deleteOldChanges: 'pruning',
  findWatched: 'a process notes changes of every workspace that is watched; each database has its own',
  deleteOldEarlyStatuses: 'pruning',
  findWorkspacesAfter: 'the walk of retention',
  anyWorkspaceExists: 'the first start asks whether it is the first',
  lockWorkspaces: 'the first start asks whether it is the first',
  insertWorkspace: 'the workspace begins to be: its id is the answer',
  selectWorkspaces: 'the operator is shown all',
  countMemberships: 'the operator is shown all',
}

/**
 * Statements that find the workspace from the caller's credential. With several databases, a directory would be queried
 * first.
 */
const askedOfTheDirectory = {
  findActiveKeys: 'by the hash of a key',
  findInvitation: 'by the token of a link',
  joinWithInvitation: 'by the token of a link',
  findCallbackChannels: 'by the channel that the address of a callback names',
  findSession: 'by the token of a session, and from the user to the workspaces they are in',
  findWorkspacesOf: 'from the user to the workspaces they are in',
  insertAccountEntries: 'from the user whose account it is to the workspaces they are in',
}

/** Batches, in which each row carries its workspace_id. With several databases, they would be split by it. */
const batches = {
  readExecutionData: 'the runs that all requests that wait would start',
  writeInOneStatement: 'the events of all requests that wait',
  findEventsByKey: 'the events of all requests that wait',
  findCustomersNamed: 'the events of all requests that wait',
  findListeningWorkflows: 'the events of all requests that wait',
  countTriggerTypes: 'the events of all requests that wait',
  sumUsage: 'the events of all requests that wait',
  markOptedOut: 'opt-outs that come at the same time',
  recordReceived: 'messages of customers that come at the same time',
  enqueueMessage: 'a message that a person writes, by the parts for those of many',
  findCustomers: 'opt-outs that come at the same time',
  insertSales: 'sales that are marked at the same time',
  findSales: 'sales that are marked at the same time',
  findConversations: 'sales that are marked at the same time',
  recordAdvances: 'a page of runs',
  readArrivals: 'a page of runs',
  moveRunsTo: 'a page of runs',
  recheckRuns: 'a page of runs',
  findBlockingRuns: 'the events of all requests that wait',
  beginRecipients: 'a page of recipients, all of one campaign',
  releaseRuns: 'a page of runs',
  postponeRun: 'a page of runs',
  markSendStarted: 'messages that are handed over at the same time',
  retryMessages: 'messages that are settled at the same time',
  deferMessages: 'messages that are settled at the same time',
  settleMessages: 'messages that are settled at the same time',
  skipForOptedOut: 'what is queued for those who opted out at the same time',
  findFlaggedConversations: 'the conversations of those who opted out at the same time',
  recordReported: 'what providers tell of messages at the same time',
  findEarlyStatuses: 'what providers tell of messages at the same time',
  deleteEarlyStatuses: 'what providers tell of messages at the same time',
  settleAttempts: 'attempts that end at the same time',
  upsertHealthSamples: 'how endpoints did in the last second',
  closeElapsedGroups: 'refusals of the last moment',
  upsertGroups: 'refusals of the last moment',
  recordMismatches: 'warnings of the last moment',
  deleteExcess: 'refusals of the last moment',
  replaceEncryptedWebhooks: 'a page of endpoints',
  replaceEncryptedChannels: 'a page of channels',
  touchApiKeys: 'when keys were last used',
  markWatched: 'the workspaces that a process watches',
  writeChanges: 'changes of the last moment',
  findNewRows: 'the workspaces that a process watches',
}

/** Exceptions older than the rule. With several databases, each becomes two queries. */
const joinsWithTheDirectory = {
  findActiveKeys: 'a call learns its plan with its key',
  findSession: 'a call learns its memberships and plans with its session',
  findEntitlements: 'what is used is shown beside what the plan allows',
  selectMembers: 'members are shown with name and address',
  findMember: 'members are shown with name and address',
  findMemberByEmail: 'an address may be that of an account',
}

/** Advisory locks of one database or of one workspace. */
const advisoryLocks = {
  lockIdentifiers: 'one workspace assigns each identifier once',
  tryLock: 'one database is migrated by one process at a time',
  releaseLock: 'one database is migrated by one process at a time',
  tryLockUsage: 'one workspace counts its month exactly',
}

/** The only functions that send whole texts to the database. */
const pastTemplates = {
  send: 'a migration, or a step of one',
  changeIndex: 'an index of a migration that is built or dropped while its table is in use',
  analyse: 'the statistics of a table, whosever rows it holds; each database has its own',
  createDatabase: 'of the embedded server',
  dropDatabase: 'of the embedded server',
  copyTemplate: 'of the embedded server',
}

describe('every statement of src', () => {
  /** From the widest to the narrowest. The reach of a statement is that of its widest variant. */
  const reaches: Reach[] = ['across', 'rows', 'one', 'none']
  let judged: { statement: Statement; judgements: Judgement[]; reach: Reach }[]
  beforeAll(() => {
    judged = statementsIn(sources, gatheredInSrc).map(statement => {
      const judgements = statement.variants.map(variant => judge(variant, catalogue))
      return { statement, judgements, reach: reaches.find(reach => judgements.some(one => one.reach === reach))! }
    })
  })

  /** Returns the names of the matching statements, and checks that no two functions share one. */
  const namesOf = (fits: (one: (typeof judged)[number]) => boolean): string[] => {
    const found = judged.filter(fits).map(({ statement: { name, path } }) => ({ name, path }))
    const names = [...new Set(found.map(({ name }) => name))]
    for (const name of names)
      expect(new Set(found.filter(one => one.name === name).map(({ path }) => path)).size, name).toBe(1)
    return names.sort()
  }

  test('is parsed: more than a hundred statements cover every tenant table', () => {
    expect(judged.length).toBeGreaterThan(100)
    expect(judged.filter(({ reach }) => reach === 'one').length).toBeGreaterThan(50)
    const touched = new Set(judged.flatMap(({ judgements }) => judgements.flatMap(({ touches }) => touches.tenant)))
    const tables = [...catalogue.tables.values()].filter(({ kind }) => kind === 'tenant').map(({ name }) => name)
    expect([...touched].sort()).toEqual(tables.sort())
  })

  test('uses only relations of the catalogue', () => {
    const unknown = judged.flatMap(({ judgements }) => judgements.flatMap(({ touches }) => touches.unknown))
    expect(unknown).toEqual([])
  })

  test('names one workspace as a parameter, or is on the list of statements across workspaces', () => {
    const listed = [...Object.keys(acrossWorkspaces), ...Object.keys(askedOfTheDirectory)].sort()
    const unrestricted = judged
      .filter(({ reach, statement: { name } }) => reach === 'across' && !listed.includes(name))
      .map(({ statement, judgements }) => [
        statement.path,
        statement.name,
        ...judgements.flatMap(one => one.unrestricted),
      ])
    expect(unrestricted, 'a statement, and the tables in it that nothing holds to a workspace').toEqual([])
    expect(namesOf(({ reach }) => reach === 'across')).toEqual(listed)
  })

  test('that takes rows of several workspaces is on the list of batches', () => {
    expect(namesOf(({ reach }) => reach === 'rows')).toEqual(Object.keys(batches).sort())
  })

  test('that names one workspace names no other', () => {
    const several = judged.filter(
      ({ reach, judgements }) => reach === 'one' && judgements.some(one => one.workspaces.length > 1),
    )
    expect(several.map(({ statement }) => statement.name)).toEqual([])
  })

  test('that joins tenants with users, sessions or plans is a known exception', () => {
    const joins = ({ touches }: Judgement) => touches.tenant.length > 0 && touches.directory.length > 0
    expect(namesOf(({ judgements }) => judgements.some(joins))).toEqual(Object.keys(joinsWithTheDirectory).sort())
  })

  test('that uses tenant tables uses no tables of processes (leases, limits, tasks)', () => {
    const joins = ({ touches }: Judgement) =>
      touches.process.length > 0 && touches.tenant.length + touches.directory.length > 0
    expect(namesOf(({ judgements }) => judgements.some(joins))).toEqual([])
    expect(
      namesOf(({ judgements }) => judgements.some(({ touches }) => touches.process.length > 0)).length,
    ).toBeGreaterThan(8)
  })

  test('that takes an advisory lock takes that of one workspace or of one database', () => {
    expect(namesOf(({ judgements }) => judgements.some(({ locks }) => locks))).toEqual(
      Object.keys(advisoryLocks).sort(),
    )
  })

  test('is a template: few functions send whole texts to the database', () => {
    const names = new Set(textsPastTemplates(sources).map(({ name }) => name))
    expect([...names].sort()).toEqual(Object.keys(pastTemplates).sort())
  })
})

describe('the reach of a statement depends on all of its parts', () => {
  const judgementOf = (text: string, more: Source[] = []): Judgement => {
    const statements = statementsIn([{ path: 'src/core/made-up.ts', text }, ...more])
    const judgements = statements.flatMap(({ variants }) => variants.map(variant => judge(variant, catalogue)))
    return (
      judgements.find(({ reach }) => reach === 'across') ??
      judgements.find(({ reach }) => reach === 'rows') ??
      judgements[0]!
    )
  }

  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: sources to be read
  /** Statements by the tables in them that nothing holds to a workspace. */
  describe.each([
    [
      ['customers'],
      [
        'select 1 from customers where id = ${id}',
        'select 1 from customers',
        'select 1 from customers where workspace_id = ${id}',
        'select 1 from customers where workspace_id = ${p.workspaceIdOfCaller}',
        'select 1 from customers where id = ${workspaceId}',
        'select 1 from customers where workspace_id = workspace_id',
        'select 1 from customers where workspace_id <> ${workspaceId}',
        'select 1 from customers where not workspace_id = ${workspaceId}',
        'select 1 from customers where workspace_id = ${workspaceId} or phone = ${phone}',
        'select 1 from customers where coalesce(workspace_id = ${workspaceId}, true)',
        'select workspace_id = ${workspaceId} from customers',
        'select 1 from customers where (workspace_id, id) > (${workspaceId}, ${id})',
        "select 1 from customers where workspace_id = (select '…'::uuid)",
        'select 1 from customers where workspace_id = any(${ids}::uuid[])',
        'select 1 from customers where workspace_id <> any(${workspaceIds}::uuid[])',
        'update customers set name = null where id = ${id}',
        'delete from customers',
        'insert into customers (id) values (${workspaceId})',
        'insert into customers (workspace_id) values (${id})',
        'insert into customers (workspace_id) values (${workspaceId}), (${id})',
        'insert into customers values (${workspaceId})',
        'insert into customers (workspace_id) select customer_id from events where workspace_id = ${workspaceId}',
        'insert into customers (workspace_id, id) select * from events where workspace_id = ${workspaceId}',
        'with recursive c as (select * from customers union all select * from c) select 1 from c where workspace_id = ${workspaceId}',
        'insert into customers (id, workspace_id) select *, id from json_to_recordset(${rows}::json) as i(workspace_id uuid, id uuid)',
        'lock table customers in share mode',
        'truncate customers',
      ],
    ],
    [['workspaces'], ['select 1 from workspaces where name = ${name}']],
    [
      ['customers c'],
      [
        'select 1 from events e join customers c on c.id = e.customer_id where e.workspace_id = ${workspaceId}',
        'select 1 from events e, customers c where e.workspace_id = ${workspaceId}',
        'select 1 from events e full join customers c using (workspace_id) where e.workspace_id = ${workspaceId}',
        'with one as (select customer_id as workspace_id from events where workspace_id = ${workspaceId}) select 1 from customers c join one using (workspace_id)',
        'select 1 from unnest(${ids}::uuid[]) as i(id) join customers c on c.id = i.id',
        'select 1 from generate_series(1, 2) as i(workspace_id) join customers c using (workspace_id)',
        'select 1 from (values (null::uuid)) as i(workspace_id) join customers c using (workspace_id)',
        'update customers c set name = null from events e where e.workspace_id = ${workspaceId} and c.id = e.customer_id',
        'delete from customers c using events e where e.workspace_id = ${workspaceId} and c.id = e.customer_id',
        'with e (workspace_id, id) as (select customer_id, workspace_id from events where workspace_id = ${workspaceId}) select 1 from customers c join e using (workspace_id)',
        'select 1 from (select * from events where workspace_id = ${workspaceId}) as e(id, workspace_id) join customers c using (workspace_id)',
        'select 1 from customers as c(id, workspace_id) where workspace_id = ${workspaceId}',
      ],
    ],
    [
      ['events e', 'customers c'],
      [
        'select 1 from events e left join customers c on c.workspace_id = e.workspace_id and e.workspace_id = ${workspaceId}',
        'select 1 from customers c right join events e on c.workspace_id = e.workspace_id and e.workspace_id = ${workspaceId}',
      ],
    ],
    [
      ['messages'],
      [
        'select 1 from events where workspace_id = ${workspaceId} union all select 1 from messages',
        'select (select count(*) from messages) from events where workspace_id = ${workspaceId}',
        'select 1 from events where workspace_id = ${workspaceId} order by (select max(id) from messages)',
        'select 1 from events where workspace_id = ${workspaceId} limit (select count(*) from messages)',
        'select 1 from (select * from messages) m where m.workspace_id = ${workspaceId}',
        'with m as (select * from messages) select 1 from m where m.workspace_id = ${workspaceId}',
        'with m as (delete from messages returning 1) select 1 from events where workspace_id = ${workspaceId}',
      ],
    ],
    [
      ['messages m'],
      [
        'select 1 from events e where workspace_id = ${workspaceId} and exists (select 1 from messages m where m.customer_id = e.customer_id)',
        'select 1 from events e cross join lateral (select 1 from messages m where m.customer_id = e.customer_id) m where e.workspace_id = ${workspaceId}',
      ],
    ],
    [
      ['events'],
      [
        'update customers set name = (select max(type) from events) where workspace_id = ${workspaceId}',
        'insert into customers (workspace_id) values (${workspaceId}) on conflict (workspace_id, id) do update set name = (select max(type) from events)',
      ],
    ],
    [['events', 'customers'], ['insert into customers (workspace_id) select workspace_id from events']],
    [
      ['events e'],
      [
        'select (select 1 where e.workspace_id = ${workspaceId}) from events e',
        'select 1 from events e left join lateral (select 1 from messages m where m.workspace_id = ${workspaceId} and m.workspace_id = e.workspace_id) m on true',
      ],
    ],
  ])('detects an unrestricted %s', (unrestricted, statements) => {
    test.each(statements)('in %s', statement => {
      const { reach, unrestricted: found } = judgementOf(`const f = () => sql\`${statement}\``)
      expect({ reach, found: found.sort() }).toEqual({ reach: 'across', found: unrestricted.sort() })
    })
  })

  test.each([
    'select 1 from customers where workspace_id = ${workspaceId}',
    'select 1 from customers c where ${p.workspaceId}::uuid = c.workspace_id and c.id = ${id}',
    'select 1 from workspaces w join members m on m.workspace_id = w.id where w.id = ${workspaceId}',
    'select 1 from workspaces where id = ${workspaceId} for no key update',
    'select 1 from events e left join customers c on c.workspace_id = e.workspace_id where e.workspace_id = ${workspaceId}',
    'select 1 from customers c join events e using (workspace_id) where workspace_id = ${workspaceId}',
    'select (select count(*) from messages m where m.workspace_id = e.workspace_id) from events e where e.workspace_id = ${workspaceId}',
    'with e as (select * from events where workspace_id = ${workspaceId}) select 1 from e join customers c on c.workspace_id = e.workspace_id',
    'with e as (insert into events (workspace_id) values (${workspaceId}) returning *) insert into messages (id, workspace_id) select id, workspace_id from e',
    'select 1 from events e cross join lateral (select m.workspace_id from messages m where m.workspace_id = e.workspace_id) m join customers c on c.workspace_id = m.workspace_id where e.workspace_id = ${workspaceId}',
    'update customers c set name = null from events e where e.workspace_id = ${workspaceId} and c.workspace_id = e.workspace_id',
    'with recursive c as (select * from customers where workspace_id = ${workspaceId} union all select c.* from c) select 1 from messages join c using (workspace_id)',
  ])('names one workspace: %s', statement => {
    expect(judgementOf(`const f = () => sql\`${statement}\``)).toMatchObject({ reach: 'one', unrestricted: [] })
  })

  test.each([
    'select 1 from customers where workspace_id = any(${workspaceIds}::uuid[])',
    'select 1 from unnest(${keys.map(key => key.workspaceId)}::uuid[]) as i(workspace_id) join customers c using (workspace_id)',
    'insert into customers (workspace_id) select workspace_id from json_to_recordset(${rows}::json) as i(workspace_id uuid)',
  ])('takes rows of several workspaces: %s', statement => {
    expect(judgementOf(`const f = () => sql\`${statement}\``)).toMatchObject({ reach: 'rows', unrestricted: [] })
  })

  const beside = {
    path: 'src/core/beside.ts',
    text: 'export const ofIt = (sql, id) => sql`where workspace_id = ${id}`',
  }
  describe.each<[Reach, string[]]>([
    [
      'one',
      [
        'const f = () => sql`select 1 from customers ${sql`where workspace_id = ${workspaceId}`}`',
        'const which = sql`where workspace_id = ${workspaceId}`; const f = () => sql`select 1 from customers ${which}`',
        'const f = (workspaceId) => { const which = sql`where workspace_id = ${workspaceId}`; return sql`select 1 from customers ${which}` }',
        "import { ofIt } from './index.ts'; const f = () => sql`select 1 from customers ${ofIt(sql, workspaceId)}`",
        "import { ofIt as mine } from './index.ts'; const f = () => sql`select 1 from customers ${mine(sql, p.workspaceId)}`",
        'const g = (type, { rows, id: which }) => sql`select ${which} ${rows}`; const f = () => sql`with x as (${g(1, { rows: sql`from customers where workspace_id = ${workspaceId}`, id: sql`id` })}) select 1`',
        'const f = () => sql`select 1 from customers where workspace_id = ${workspaceId} ${id ? sql`and id = ${id}` : sql``}`',
        'const g = (which: Fragment) => sql`select 1 from customers ${which}`; g(sql`where workspace_id = ${workspaceId}`)',
      ],
    ],
    [
      'across',
      [
        'const f = () => sql`select 1 from customers ${sql`where id = ${id}`}`',
        'const which = sql`where id = ${id}`; const f = () => sql`select 1 from customers ${which}`',
        "import { ofIt } from './index.ts'; const f = () => sql`select 1 from customers ${ofIt(sql, id)}`",
        'const f = () => sql`select 1 from customers where true ${all ? sql`` : sql`and workspace_id = ${workspaceId}`}`',
        'const f = () => sql`select 1 from customers where true ${mine ? sql`and workspace_id = ${workspaceId}` : sql``}`',
        'const g = (type, { rows, id: which }) => sql`select ${which} ${rows}`; const f = () => sql`with x as (${g(1, { rows: sql`from customers where id = ${id}`, id: sql`id` })}) select 1`',
        'const g = ({ id }) => sql`select ${id}`; const f = () => sql`with x as (${g({ id: sql`(select max(id) from customers)` })}) select 1`',
        'const g = (which: Fragment) => sql`select 1 from customers ${which}`; g(sql`where workspace_id = ${workspaceId}`); g(sql`where id = ${id}`)',
        'class Reader { read() { return this.#sql<Row[]>`select 1 from customers` } }',
        "const f = () => sql`select 1 from ${sql('customers')}`",
      ],
    ],
  ])('with its fragments inserted, reaches %s:', (reach, texts) => {
    test.each(texts)('%s', text => {
      expect(judgementOf(text, text.includes('ofIt') ? [beside] : []).reach).toBe(reach)
    })
  })

  test.each([
    ['const f = (which) => sql`select 1 from customers ${which}`', 'syntax error'],
    ['const f = () => sql`select 1 from customers ${filters.where(sql)}`', 'syntax error'],
    ['const where = () => sql`where workspace_id = ${workspaceId}`', 'syntax error'],
  ])('reports a statement that cannot be composed: %s', (text, complaint) => {
    expect(() => judgementOf(text)).toThrow(complaint)
  })

  test('takes fragments that are combined at run time from the listed functions', () => {
    const text = `
      const parts = sql => all.map(part => part(sql)).reduce((a, b) => sql\`\${a}, \${b}\`)
      export const first = sql => sql\`a as (delete from customers)\`
      export const second = sql => sql\`b as (select 1 from events where workspace_id = \${workspaceId})\`
      const f = () => sql\`with \${parts(sql)} select 1\``
    const [statement, ...others] = statementsIn([{ path: 'src/x.ts', text }], { parts: ['first', 'second'] })
    expect(others).toEqual([])
    expect(judge(statement!.variants[0]!, catalogue).unrestricted).toEqual(['customers'])
    expect(judge(statement!.variants[0]!, catalogue).touches.tenant.sort()).toEqual(['customers', 'events'])
  })

  test('takes fragments from the arguments of a function if the list says so', () => {
    const text = `
      const fields = (sql, data) => Object.keys(data).map(name => sql\`, \${data[name]}\`)
      const tell = ({ id, data }) => sql\`select \${fields(sql, data)} from events where workspace_id = \${id}\`
      const f = () =>
        sql\`\${tell({ id: sql\`\${workspaceId}\`, data: { a: sql\`type\`, b: sql\`(select max(id) from customers)\`  } })}\``
    const [statement, ...others] = statementsIn([{ path: 'src/x.ts', text }], { fields: 'handed in' })
    expect(others).toEqual([])
    const { touches, unrestricted } = judge(statement!.variants[0]!, catalogue)
    expect({ touched: touches.tenant.sort(), unrestricted }).toEqual({
      touched: ['customers', 'events'],
      unrestricted: ['customers'],
    })
  })

  test('classifies tables by owner in every part of the statement', () => {
    const touched = (statement: string) => judgementOf(`const f = () => sql\`${statement}\``).touches
    const unattended =
      'select 1 from channels c where workspace_id = ${workspaceId} and not exists (select 1 from leases l join processes p on p.id = l.holder)'
    expect(touched(unattended)).toMatchObject({ tenant: ['channels'], process: ['leases', 'processes'] })
    const enqueued = "with m as (select 1 from messages) select graphile_worker.add_job('x') from m"
    expect(touched(enqueued)).toMatchObject({ tenant: ['messages'], process: ['graphile_worker.add_job'] })
    const held = 'delete from graphile_worker.jobs where id in (select id from api_keys)'
    expect(touched(held)).toMatchObject({ tenant: ['api_keys'], process: ['graphile_worker.jobs'] })
    expect(touched('select 1 from sessions s join members m using (user_id)')).toMatchObject({
      tenant: ['members'],
      directory: ['sessions'],
    })
    expect(touched('select 1 from customer, pg_stat_activity, elsewhere.events')).toMatchObject({
      bookkeeping: ['pg_stat_activity'],
      unknown: ['customer', 'elsewhere.events'],
    })
  })

  test.each([
    ['select pg_advisory_xact_lock(1)', true],
    ['select 1 where pg_try_advisory_lock(1)', true],
    ["select 'pg_advisory_lock(1)'", false],
  ])('detects for %s whether it takes an advisory lock: %p', (statement, locks) => {
    expect(judgementOf(`const f = () => sql\`${statement}\``).locks).toBe(locks)
  })

  test('names are those of the function, the constant or the method', () => {
    const text =
      'const f = () => { const g = () => sql`select 1`; return g() }; class A { async b() { await sql`select 2` } }; const c = sql`select 3`; function d() { return sql`select 4` }'
    expect(statementsIn([{ path: 'src/x.ts', text }]).map(({ name }) => name)).toEqual(['f', 'A.b', 'c', 'd'])
    expect(textsPastTemplates([{ path: 'src/x.ts', text: 'const f = () => sql.unsafe(text)' }])).toEqual([
      { path: 'src/x.ts', name: 'f' },
    ])
  })
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: sources to be read
})
