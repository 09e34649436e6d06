/**
 * Measures events recorded over HTTP: the complete endpoint, from the key's look-up to the month's usage. 16, 64 and
 * 256 connections each send the next event after the previous answer.
 */
import type { Sql } from '../../src/platform/postgres/client.ts'
import { type BenchWorkspace, type Environment, knownCustomers } from './environment.ts'
import { each, type Figure, figure, median, ratio } from './figures.ts'
import type { LoadResult } from './hammer.ts'
import { inRounds } from './latency.ts'
import { knownPhone } from './load.ts'
import { insertOneByOne } from './one-row-inserts.ts'

export const aboutIngest =
  'orders with five fields of data, each with a phone, a name and an idempotency key of its own; one in five enrols a new customer, the others belong to 10,000 who exist; one workflow is switched on, for another type. Beside it, rows of the same table, one INSERT and one commit each. Both flush every commit to disk.'

const connectionCounts = [16, 64, 256]
const most = 256

interface Round {
  inserts: number
  loads: Measured[]
}

interface Measured extends LoadResult {
  /** Processor time per event, in microseconds. */
  serviceUs: number
  postgresUs: number
}

/** Measures ingestion; `quick` is shorter and runs once. */
export const measureIngest = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const { sql } = environment
  const workspace = await shopOf(environment)
  const beside = await environment.workspace('one row inserts')
  const load = async (connections: number, seconds: number): Promise<Measured> => {
    const before = [await environment.service.cpuMs(), await environment.postgresCpuMs()] as const
    const result = await workspace.load(environment.service.port, connections, seconds)
    const usPerEvent = (ms: number) => (1000 * ms) / result.answeredInAll
    return {
      ...result,
      serviceUs: usPerEvent((await environment.service.cpuMs()) - before[0]),
      postgresUs: usPerEvent((await environment.postgresCpuMs()) - before[1]),
    }
  }
  const { databaseUrl } = environment
  const inserts = async (seconds: number): Promise<number> => {
    await sql`checkpoint`
    return insertOneByOne({ databaseUrl, workspaceId: beside.id, customerId: beside.id, seconds })
  }

  await load(most, quick ? 3 : 8)
  await inserts(2)
  const rounds = await inRounds(quick ? 1 : 3, async () => {
    const insertRate = await inserts(quick ? 2 : 4)
    await sql`checkpoint`
    const loads: Measured[] = []
    for (const connections of connectionCounts)
      loads.push(await load(connections, connections === most && !quick ? 4 : 2))
    return { inserts: insertRate, loads }
  })
  await workspace.assertAllStored()
  return connectionCounts.flatMap((connections, index) => figuresOf(connections, index, rounds))
}

const figuresOf = (connections: number, index: number, rounds: Round[]): Figure[] => {
  const loads = rounds.map(round => round.loads[index]!)
  const beside = { name: 'pgbench, 64 connections:', rounds: each(rounds, 'inserts') }
  const at = `${connections} connections`
  const held = connections === most
  return [
    figure('ingest', at, 'events/s', loads.map(rateOf), beside, held ? ratio.atLeast(1.2) : null),
    figure('ingest', `${at}, p50`, 'ms', each(loads, 'p50')),
    figure('ingest', `${at}, p99`, 'ms', each(loads, 'p99'), null, held ? median.atMost(50) : null),
    figure('ingest', `${at}, processor time of the service for an event`, 'us', each(loads, 'serviceUs')),
    figure('ingest', `${at}, processor time of PostgreSQL for an event`, 'us', each(loads, 'postgresUs')),
  ]
}

/** Measures the cost of rate limits that refuse no request, with two processes on one database in alternation. */
export const measureLimits = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const shop = await shopOf(environment)
  const unlimited = await environment.serviceWith({})
  const limit = '1000000/1000000'
  const limited = await environment.serviceWith({ RATE_LIMIT_KEY: limit, RATE_LIMIT_PERSON: limit })
  const rateAt = async ({ port }: { port: number }, seconds: number) => rateOf(await shop.load(port, most, seconds))
  for (const service of [unlimited, limited]) await rateAt(service, quick ? 2 : 5)
  const rounds = await inRounds(quick ? 1 : 5, async () => {
    const without = await rateAt(unlimited, quick ? 2 : 4)
    return { without, within: await rateAt(limited, quick ? 2 : 4) }
  })
  for (const service of [unlimited, limited]) await service.stop()
  await shop.assertAllStored()
  const beside = { name: 'the same without limits:', rounds: each(rounds, 'without') }
  const name = `${most} connections within rate limits`
  return [figure('ingest', name, 'events/s', each(rounds, 'within'), beside, ratio.atLeast(0.9))]
}

const storedBefore = 1_000_000

/** Measures ingestion with a million stored events, and by two processes with half of the connections each. */
export const measureGrown = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const { sql, service } = environment
  const shop = await shopOf(environment)
  const rounds = quick ? 1 : 3
  const seconds = quick ? 2 : 4
  const alone = async () => rateOf(await shop.load(service.port, most, seconds))
  await alone()
  const empty = await inRounds(rounds, alone)
  await shop.addStored(storedBefore)
  // Prevents autovacuum from running in the middle of a round.
  await sql`vacuum analyze`
  await sql`checkpoint`
  await alone()
  const other = await environment.serviceWith({ ROLES: 'http,worker' })
  const pairs = await inRounds(rounds, async () => {
    const one = await alone()
    const two = await Promise.all([service, other].map(({ port }) => shop.load(port, most / 2, seconds)))
    return { one, two: two.reduce((sum, result) => sum + rateOf(result), 0) }
  })
  await other.stop()
  await shop.assertAllStored()
  const [one, two] = [each(pairs, 'one'), each(pairs, 'two')]
  const before = { name: 'before that:', rounds: empty }
  return [
    figure('ingest', `${most} connections, a million events stored`, 'events/s', one, before, ratio.atLeast(0.9)),
    figure('ingest', `two processes, ${most / 2} connections each`, 'events/s', two, { name: 'one:', rounds: one }),
  ]
}

export interface Shop extends BenchWorkspace {
  load(port: number, connections: number, seconds: number): Promise<LoadResult>
  /** Inserts events directly into the database. */
  addStored(count: number): Promise<void>
  /** Fails unless every event with a 201 was stored. The speed of wrong answers is worthless. */
  assertAllStored(): Promise<void>
}

/** Creates a workspace with the customers and the workflow of the events. */
export const shopOf = async (environment: Pick<Environment, 'sql' | 'workspace'>): Promise<Shop> => {
  const { sql } = environment
  const workspace = await environment.workspace('ingest')
  await addCustomers(sql, workspace.id)
  await workspace.workflow('Sorry', sorry)
  let recorded = 0
  let added = 0
  return {
    ...workspace,
    addStored: async count => {
      added += count
      await addEvents(sql, workspace.id, count)
    },
    load: async (port, connections, seconds) => {
      const result = await workspace.record(port, { connections, seconds })
      recorded += result.answeredInAll
      return result
    },
    assertAllStored: async () => {
      const [row] = await sql<{ stored: number; used: number }[]>`
        select (select count(*) from events where workspace_id = ${workspace.id}) as stored,
          (select sum(recorded)::bigint from event_usage where workspace_id = ${workspace.id}) as used`
      if (row?.stored !== recorded + added || row.used !== recorded)
        throw new Error(
          `${recorded} events were answered with 201, but ${row?.stored} are stored and ${row?.used} counted`,
        )
    },
  }
}

export const rateOf = ({ answered, seconds }: LoadResult): number => answered / seconds

export const addCustomers = (sql: Sql, workspaceId: string) => {
  const phones = Array.from({ length: knownCustomers }, (_, index) => knownPhone(index))
  return sql`insert into customers (workspace_id, phone, name) select ${workspaceId}, phone, 'Ana' from unnest(${phones}::text[]) as phone`
}

/** Inserts orders like the sent ones, with their own keys, spread over the customers. */
const addEvents = (sql: Sql, workspaceId: string, count: number) => sql`
  insert into events (workspace_id, id, type, source, sender, customer_id, data, idempotency_key, matched_workflows, reason)
  select ${workspaceId}, uuidv7(), 'order.created', 'api', 'custom', c.id,
    '{"items": 3, "total": 129.9, "channel": "web", "orderId": "A-00000000", "currency": "EUR"}',
    'stored-' || c.phone || '-' || n, 0, 'no_listener'
  from (select id, phone from customers where workspace_id = ${workspaceId} limit ${knownCustomers}::integer) c
  cross join generate_series(1, ${count / knownCustomers}::integer) n`

const sorry = {
  trigger: { eventType: 'order.cancelled' },
  start: 'write',
  steps: { write: { type: 'send_message', text: 'We are sorry', next: null } },
}
