/** A running service with a workspace, its owner and an API key: the starting point of most API tests. */
import { scryptSync } from 'node:crypto'
import pino from 'pino'
import { createWithHash } from '../../src/accounts/workspaces/create.ts'
import { type RunningService, type ServiceDeps, startService } from '../../src/app/index.ts'
import type { Pools } from '../../src/app/pools.ts'
import { readConfig } from '../../src/config.ts'
import type { Log } from '../../src/platform/log.ts'
import type { Database } from '../../src/platform/postgres/client.ts'
import { auditAnswer } from './audit.ts'
import { type Beginning, type TestDatabase, testDatabase } from './database.ts'
import { errorLog } from './errors.ts'
import { use } from './use.ts'

export interface Reply<Body = Record<string, unknown>> {
  status: number
  headers: Headers
  body: Body
}

export interface Asking {
  /** A name of `credentials`, or the headers themselves. `nobody` sends none. */
  as?: 'owner' | 'key' | 'nobody' | Record<string, string>
  /** Body, sent as JSON. */
  body?: unknown
  /** Body sent unchanged, instead of `body`. */
  raw?: BodyInit
  headers?: Record<string, string>
}

export interface World {
  /** Database of the workspace. */
  database: TestDatabase
  /** Database of people and their memberships. It differs from `database` if the workspace is in another cell. */
  directory: Database
  /** URL of that database. */
  directoryUrl: string
  readonly service: RunningService
  readonly url: string
  workspaceId: string
  owner: { email: string; password: string; token: string }
  key: { id: string; value: string }
  /** Calls the service. Defaults to the owner's credentials. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds, and fails where it does not
  call(method: string, path: string, asking?: Asking): Promise<Reply<any>>
  /** Calls the service, fails unless the status is the expected one, and returns the body. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  expect(status: number, method: string, path: string, asking?: Asking): Promise<any>
  /** Creates another workspace with its own owner. Returns the request headers of that owner. */
  otherOwner(): Promise<Record<string, string>>
  /** Calls the service and returns what `answerOf` makes of the reply. */
  answer(method: string, path: string, asking?: Asking): Promise<string>
  /** Reads every page of a list. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  pages(path: string, asking?: Asking): Promise<any[][]>
  /** Creates a person with the owner's password, by default an agent of this workspace. Without a role: no member. */
  person(role?: 'owner' | 'agent' | null, workspaceId?: string): Promise<Person>
  /** Creates a sandbox channel and returns its id. */
  sandbox(): Promise<string>
  /** Creates, publishes and enables a workflow. Returns its id. */
  workflow(definition: object, name?: string): Promise<string>
  /** Stops the service and starts it again on the same database. */
  restart(): Promise<void>
  stop(): Promise<void>
  /** Stops the world at the end of the block that declares it with `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Environment variables. Rate limits are off unless these settings enable them. */
export type Settings = Record<string, string>

/** Replaces what the service would create. */
interface Replaced extends Pick<ServiceDeps, 'resolve' | 'providers' | 'liveFeedLimits'> {
  log?: Log
  pools?: (url: string) => Pools
  /**
   * Puts the workspace in another cell than the directory. Returns the URL by which the service reaches that database.
   * TESTS_CELLS=two does so in all tests, and TESTS_CELLS=citus with a cell in a Citus cluster.
   */
  cellUrl?: ((url: string) => Promise<string>) | null
}

export interface Person {
  id: string
  /** Id of the membership. Empty without a role. */
  memberId: string
  email: string
  /** Request headers of the first session. */
  as: Record<string, string>
  /** Starts another session and returns its request headers. */
  session(): Promise<Record<string, string>>
}

/** The id of no record. */
export const unknownId = '01981b7e-3c00-7a51-9a64-1f0f5c3d7e99'

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

/** Returns the status, the error code and the fields of the error, for example `400 invalid_request phone`. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export const answerOf = ({ status, body }: Reply<any>): string =>
  [status, body.error?.code, ...Object.keys(body.error?.details ?? {})].filter(Boolean).join(' ')

let phones = 0
/** Returns a phone number that no customer has. */
export const newPhone = (): string => `+49157${String(++phones).padStart(8, '0')}`

const password = 'correct horse battery'
const email = 'owner@shop.example'

/**
 * A hash of the password that takes a millisecond; its cost parameters precede the hash. A real hash takes a quarter
 * second of processor time, and a suite creates or signs in users hundreds of times.
 */
const quickHash = (() => {
  const [N, r, p, salt] = [16, 8, 1, Buffer.from('salt of the tests')] as const
  const key = scryptSync(password, salt, 32, { N, r, p })
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')
})()

/** Creates a workspace in `cell` whose owner has `password`. Returns its id. */
export const makeOwned = async (
  directory: Database,
  name: string,
  email: string,
  cell: Database = directory,
): Promise<string> =>
  (await createWithHash(directory, { name, planId: 'unlimited', owner: { email, password } }, quickHash, cell)).id

const owned: Beginning = { name: 'owned', fill: async sql => void (await makeOwned(sql, 'Shop', email)) }

/**
 * Returns a world for the tests of a file or of a `describe`. It starts before the first test and stops after the last.
 * Settings that name another resource of the file are a function. `errors` are the errors that the tests provoke.
 */
export const useWorld = (
  settings: Settings | (() => Settings) = {},
  { errors = [], ...replaced }: Replaced & { errors?: string[] } = {},
): World =>
  use(async () => {
    const world = await startWorld(typeof settings === 'function' ? settings() : settings, replaced)
    world.database.expectErrors(...errors)
    return world
  })

/** Starts a world for a single test, which declares it with `await using`. */
export const startWorld = async (
  settings: Settings = {},
  { pools, cellUrl = defaultCellUrl, ...deps }: Replaced = {},
): Promise<World> => {
  const { database, main, mainUrl, cells, drop } = await makeDatabases(cellUrl)
  const config = readConfig({
    PORT: '0',
    RATE_LIMIT_KEY: '0',
    RATE_LIMIT_PERSON: '0',
    RATE_LIMIT_SIGN_IN: '0',
    RATE_LIMIT_CALLBACKS: '0',
    RATE_LIMIT_INVITATIONS: '0',
    ...(cells !== null && { CELLS: cells }),
    ...settings,
  })
  const log = pino(
    { level: process.env.TEST_LOG ?? 'error', serializers: { error: pino.stdSerializers.err } },
    errorLog(mainUrl),
  )
  const start = () =>
    startService({ config, databaseUrl: mainUrl, log, ...deps, ...(pools && { pools: pools(mainUrl) }) })
  let service = await start()
  const url = () => `http://127.0.0.1:${service.port}`

  const credentials: Record<string, Record<string, string>> = { nobody: {} }
  const call: World['call'] = async (method, path, { as = 'owner', body, raw, headers } = {}) => {
    const response = await fetch(`${url()}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(typeof as === 'string' ? credentials[as] : as),
        ...headers,
      },
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
    })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    // A stream would last as long as the caller reads it.
    if (isStream) await response.body?.cancel()
    const text = isStream ? '' : await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const parsed = isJson && text !== '' ? JSON.parse(text) : text
    auditAnswer(method, path, response.status, parsed)
    return { status: response.status, headers: response.headers, body: parsed }
  }
  const expectStatus: World['expect'] = async (status, method, path, asking) => {
    const reply = await call(method, path, asking)
    if (reply.status !== status)
      throw new Error(`${method} ${path}: ${reply.status} instead of ${status}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const pages: World['pages'] = async (path, asking) => {
    const { data, nextCursor } = await expectStatus(200, 'GET', path, asking)
    if (nextCursor === null) return [data]
    const next = new URL(path, url())
    next.searchParams.set('cursor', nextCursor)
    return [data, ...(await pages(next.pathname + next.search, asking))]
  }
  const signIn = async (email: string): Promise<string> =>
    (await expectStatus(200, 'POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password } })).token

  const [workspace] = await database.sql<{ id: string }[]>`select id from workspaces`
  const workspaceId = workspace!.id
  const token = await signIn(email)
  credentials.owner = bearer(token)
  const issued = await expectStatus(201, 'POST', '/v1/api-keys', { body: { name: 'shop system' } })
  credentials.key = { 'X-API-Key': issued.key }

  const stop = async () => {
    await service.stop(5000)
    await drop()
  }
  return {
    database,
    directory: main,
    directoryUrl: mainUrl,
    get service() {
      return service
    },
    get url() {
      return url()
    },
    workspaceId,
    owner: { email, password, token },
    key: { id: issued.id, value: issued.key },
    call,
    expect: expectStatus,
    otherOwner: async () => {
      const other = `owner-${crypto.randomUUID()}@other.example`
      await makeOwned(main, 'Other', other, database.sql)
      return bearer(await signIn(other))
    },
    answer: async (method, path, asking) => answerOf(await call(method, path, asking)),
    pages,
    person: (role = 'agent', workspace = workspaceId) => makePerson(main, role, workspace),
    sandbox: async () =>
      (await expectStatus(201, 'POST', '/v1/channels', { body: { kind: 'sandbox', name: 'Sandbox' } })).id,
    workflow: async (definition, name = 'Workflow') => {
      const { id } = await expectStatus(201, 'POST', '/v1/workflows', { body: { name, definition } })
      await expectStatus(200, 'POST', `/v1/workflows/${id}/publish`)
      await expectStatus(200, 'PATCH', `/v1/workflows/${id}`, { body: { enabled: true } })
      return id
    },
    restart: async () => {
      await service.stop()
      service = await start()
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

const testsCells = process.env.TESTS_CELLS
const defaultCellUrl = testsCells ? (url: string) => Promise.resolve(url) : null

/** Creates the database of a world, or two: one for the directory, and one for the workspace. */
const makeDatabases = async (cellUrl: Replaced['cellUrl']) => {
  if (!cellUrl) {
    const database = await testDatabase(owned)
    return { database, main: database.sql, mainUrl: database.url, cells: null, drop: () => database.drop() }
  }
  const [directory, cell] = [
    await testDatabase(),
    await (testsCells === 'citus' ? (await import('../cells/cluster.ts')).citusDatabase() : testDatabase()),
  ]
  await makeOwned(directory.sql, 'Shop', email, cell.sql)
  const database: TestDatabase = {
    ...cell,
    expectErrors: (...errors) => {
      cell.expectErrors(...errors)
      directory.expectErrors(...errors)
    },
  }
  return {
    database,
    main: directory.sql,
    mainUrl: directory.url,
    cells: `b=${await cellUrl(cell.url)}`,
    drop: async () => {
      await cell.drop()
      await directory.drop()
    },
  }
}

/** Creates a person by SQL, because hashing a password takes a third of a second. */
const makePerson = async (sql: Database, role: string | null, workspaceId: string): Promise<Person> => {
  const email = `p-${crypto.randomUUID()}@shop.example`
  const [user] = await sql<{ id: string }[]>`
    insert into users (email, name, password_hash) values (${email}, 'Kim', ${quickHash}) returning id`
  const [member] = await sql<{ id: string }[]>`
    insert into members (workspace_id, user_id, role) select ${workspaceId}, ${user!.id}, ${role}
    where ${role}::text is not null returning id`
  const session = async () => {
    const token = `ses_${crypto.randomUUID()}`
    await sql`
      insert into sessions (token_hash, user_id, expires_at)
      values (sha256(convert_to(${token}, 'UTF8')), ${user!.id}, now() + interval '1 day')`
    return bearer(token)
  }
  return { id: user!.id, memberId: member?.id ?? '', email, as: await session(), session }
}

/** Resolves when this many statements of the database wait for a lock. */
export const untilBlocked = (sql: Database, count = 1) =>
  eventually(`${count} statements wait for a lock`, async () => {
    const waiting = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return waiting.length >= count
  })

/**
 * Polls until `probe` returns a value other than null, undefined or false. Fails after `withinMs`. A probe is often a
 * request, so a long wait polls less often.
 */
export const eventually = async <T>(
  what: string,
  probe: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  withinMs = 10_000,
): Promise<T> => {
  const start = performance.now()
  for (;;) {
    const found = await probe()
    if (found !== null && found !== undefined && found !== false) return found
    const waitedMs = performance.now() - start
    if (waitedMs > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`)
    await new Promise(resolve => setTimeout(resolve, Math.min(15 + waitedMs / 20, 75)))
  }
}
