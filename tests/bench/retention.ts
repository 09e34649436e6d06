/** Events recorded over HTTP while old ones are being removed, beside the same while they are not, in turns. */
import { type Kept, retain } from '../../src/domain/retention/index.ts'
import type { BenchWorkspace, Environment } from './environment.ts'
import { type Figure, figure } from './figures.ts'
import { rateOf, shopOf } from './ingest.ts'

export const aboutRetention =
  'the events of ingest, at 256 connections, with ten million stored that are 60 days old and have keys (quick: half a million). They are removed by what the scheduled task calls, told that callers are being served, as the process that serves them would tell it.'

const connections = 256
const storedAtATime = 500_000
const kept: Kept = { events: 30 * 86_400_000, deliveries: null, runs: null, messages: null, audit: null, answers: null }

/** Measures; with `quick` fewer rows and once. */
export const measureRetention = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const { sql, service } = environment
  const shop = await shopOf(environment)
  const seconds = quick ? 3 : 4
  await store(environment, shop, quick ? storedAtATime : 10_000_000)
  // Autovacuum would come by in the middle of a round.
  await sql`vacuum analyze events`
  await sql`checkpoint`
  const record = async () => rateOf(await shop.load(service.port, connections, seconds))
  await record()
  const without: number[] = []
  const during: number[] = []
  const removed: number[] = []
  for (let round = 0; round < (quick ? 1 : 12); round++) {
    without.push(await record())
    const removing = remove(environment)
    during.push(await record())
    removed.push((await removing.stop()) / seconds)
  }
  const beside = { name: 'the same without:', rounds: without }
  return [
    figure('retention', `${connections} connections, old ones being removed`, 'events/s', during, beside, {
      of: 'ratio',
      atLeast: 0.98,
    }),
    figure('retention', 'removed meanwhile', 'events/s', removed),
  ]
}

/** Old ones, of customers who are gone: nobody reads them. */
const store = async ({ sql }: Environment, { id }: BenchWorkspace, count: number): Promise<void> => {
  for (let stored = 0; stored < count; stored += storedAtATime)
    await sql`
      insert into events (workspace_id, id, type, source, sender, customer_id, data, idempotency_key, matched_workflows, reason)
      select ${id}, uuidv7(interval '-60 days'), 'order.created', 'api', 'custom', uuidv7(),
        '{"items": 3, "total": 129.9, "channel": "web", "orderId": "A-00000000", "currency": "EUR"}',
        'old-' || ${stored}::integer + n, 0, 'no_listener'
      from generate_series(1, ${storedAtATime}::integer) n`
}

/** Goes on until it is told to stop; that answers how many events were removed. */
const remove = ({ sql }: Environment) => {
  const stopping = new AbortController()
  const remaining = async () =>
    (await sql<{ count: number }[]>`select count(*)::integer as count from removed_events`)[0]!.count
  const work = async () => {
    const before = await remaining()
    while (!stopping.signal.aborted) await retain({ sql, kept, isBusy: () => true, stopping: stopping.signal })
    return (await remaining()) - before
  }
  const removed = work()
  return {
    stop: () => {
      stopping.abort()
      return removed
    },
  }
}
