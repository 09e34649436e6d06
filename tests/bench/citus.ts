/**
 * Measures the processor time of PostgreSQL for an event in a cell of a Citus cluster, beside a plain database of the same
 * PostgreSQL. Needs CITUS_PREFIX.
 */
import { createCitusCell } from '../../src/app/cells/citus-cell.ts'
import { migrateDatabase } from '../../src/app/database.ts'
import { placedUrl } from '../../src/platform/postgres/citus.ts'
import { connect, type Database } from '../../src/platform/postgres/client.ts'
import { startCitus } from '../cells/cluster.ts'
import { type Environment, newWorkspace, postgresCpuMs } from './environment.ts'
import { each, type Figure, figure, median, ratio } from './figures.ts'
import { shopOf } from './ingest.ts'
import { inRounds } from './latency.ts'

export const aboutCitus =
  'the events of ingest, from 64 connections, to a cell of a Citus cluster with a coordinator and two workers. For comparison, the bench sends the same events to a database of the same PostgreSQL without Citus. Each of ten rounds measures one after the other. Both flush every commit to disk. A round also measures the coordinator without load, and its time for an event is what it uses above that.'

const connections = 64

/** Measures a cell in Citus; `quick` is shorter and has fewer rounds. */
export const measureCitus = async ({ serviceWith }: Environment, quick: boolean): Promise<Figure[]> => {
  const cluster = await startCitus({ durable: true })
  const closing: (() => Promise<unknown>)[] = [cluster.stop]
  const open = (url: string): Database => {
    const sql = connect({ url, applicationName: 'bench' })
    closing.push(() => sql.end({ timeout: 1 }))
    return sql
  }
  /** Starts a service of a database, and fills a shop in a cell of it. Returns the load on the shop. */
  const shopAt = async (url: string, cells: Record<string, string>, cell: Database) => {
    const service = await serviceWith({ DATABASE_URL: url, ROLES: 'http,worker', ...cells })
    closing.push(service.stop)
    const directory = open(url)
    const workspace = (name: string) => newWorkspace(directory, service.url, name, cell)
    const shop = await shopOf({ sql: cell, workspace })
    return { ...shop, load: (seconds: number) => shop.load(service.port, connections, seconds) }
  }
  try {
    const { url, sql } = await cluster.startPlain()
    await migrateDatabase({ url })
    const { coordinator, workers } = cluster
    await migrateDatabase(coordinator)
    const placement = await createCitusCell(coordinator.url, 'one')
    const node = workers.find(({ port }) => port === placement.port)!
    const cell = open(placedUrl(coordinator.url, placement))
    const shops = {
      plain: { at: sql, ...(await shopAt(url, {}, sql)) },
      citus: { at: cell, ...(await shopAt(coordinator.url, { CELLS: 'citus' }, cell)) },
    }
    const usAt = async ({ at, load }: typeof shops.plain, seconds: number) => {
      const before = await postgresCpuMs(at)
      const { answeredInAll } = await load(seconds)
      return { us: (1000 * ((await postgresCpuMs(at)) - before)) / answeredInAll, answeredInAll }
    }
    /** Returns what the coordinator uses during the work, in milliseconds, and how long that takes. */
    const coordinatorMs = async <T>(work: () => Promise<T>) => {
      const [before, from] = [await postgresCpuMs(coordinator.sql), performance.now()]
      const result = await work()
      return { result, ms: performance.now() - from, cpuMs: (await postgresCpuMs(coordinator.sql)) - before }
    }
    const measure = async (seconds: number) => {
      for (const server of [sql, node.sql]) await server`checkpoint`
      const idle = await coordinatorMs(() => Bun.sleep(seconds * 1000))
      const plain = await usAt(shops.plain, seconds)
      const { result: citus, ms, cpuMs } = await coordinatorMs(() => usAt(shops.citus, seconds))
      const aboveIdle = cpuMs - (idle.cpuMs / idle.ms) * ms
      const coordinator = (1000 * aboveIdle) / citus.answeredInAll
      return { plain: plain.us, citus: citus.us, coordinator, idle: (1000 * idle.cpuMs) / idle.ms }
    }
    await measure(quick ? 2 : 8)
    const rounds = await inRounds(quick ? 3 : 10, () => measure(quick ? 2 : 4))
    for (const shop of Object.values(shops)) await shop.assertAllStored()
    const beside = { name: 'without Citus:', rounds: each(rounds, 'plain') }
    const percent = rounds.map(({ plain, citus }) => (100 * citus) / plain)
    return [
      figure(
        'citus',
        'processor time of PostgreSQL for an event',
        'us',
        each(rounds, 'citus'),
        beside,
        ratio.atMost(1.15),
      ),
      figure('citus', 'the same, as a share of that without Citus', '%', percent),
      figure('citus', 'the coordinator for an event', 'us', each(rounds, 'coordinator'), null, median.atMost(1)),
      figure('citus', 'the coordinator without load', 'ms/s', each(rounds, 'idle')),
    ]
  } finally {
    for (const step of closing.reverse()) await step()
  }
}
