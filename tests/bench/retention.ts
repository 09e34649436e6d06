/** Measures recording over HTTP alternately with and without the removal of old events. */
import { type RetentionPeriods, retain } from '../../src/privacy/retention/index.ts'
import type { BenchWorkspace, Environment } from './environment.ts'
import { each, type Figure, figure, ratio } from './figures.ts'
import { rateOf, shopOf } from './ingest.ts'
import { inRounds } from './latency.ts'

export const aboutRetention =
  'the events of ingest, at 256 connections, with ten million stored that are 60 days old and have keys (quick: half a million). They are removed by what the scheduled task calls, told that callers are being served, as the process that serves them would tell it.'

const connections = 256
const storedAtATime = 500_000
const others = { deliveries: null, runs: null, messages: null, audit: null, answers: null }
const periods: RetentionPeriods = { ...others, events: 30 * 86_400_000 }

/** Measures retention; `quick` uses fewer rows and one round. */
export const measureRetention = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const { sql, service } = environment
  const shop = await shopOf(environment)
  const seconds = quick ? 3 : 4
  await store(environment, shop, quick ? storedAtATime : 10_000_000)
  // Prevents autovacuum from running in the middle of a round.
  await sql`vacuum analyze events`
  await sql`checkpoint`
  const record = async () => rateOf(await shop.load(service.port, connections, seconds))
  await record()
  const rounds = await inRounds(quick ? 1 : 12, async () => {
    const without = await record()
    const removing = remove(environment)
    const during = await record()
    return { without, during, removed: (await removing.stop()) / seconds }
  })
  const beside = { name: 'the same without:', rounds: each(rounds, 'without') }
  const name = `${connections} connections, old ones being removed`
  return [
    figure('retention', name, 'events/s', each(rounds, 'during'), beside, ratio.atLeast(0.98)),
    figure('retention', 'removed meanwhile', 'events/s', each(rounds, 'removed')),
  ]
}

/** Inserts old events of deleted customers, which no request reads. */
const store = async ({ sql }: Environment, { id }: BenchWorkspace, count: number): Promise<void> => {
  for (let stored = 0; stored < count; stored += storedAtATime)
    await sql`
      insert into events (workspace_id, id, type, source, sender, customer_id, data, idempotency_key, matched_workflows, reason)
      select ${id}, uuidv7(interval '-60 days'), 'order.created', 'api', 'custom', uuidv7(),
        '{"items": 3, "total": 129.9, "channel": "web", "orderId": "A-00000000", "currency": "EUR"}',
        'old-' || ${stored}::integer + n, 0, 'no_listener'
      from generate_series(1, ${storedAtATime}::integer) n`
}

/** Removes events until it is stopped. The stop function returns the number of removed events. */
export const remove = ({ sql }: Pick<Environment, 'sql'>) => {
  const stopping = new AbortController()
  const remaining = async () =>
    (await sql<{ count: number }[]>`select count(*)::integer as count from removed_events`)[0]!.count
  const work = async () => {
    const before = await remaining()
    while (!stopping.signal.aborted) await retain({ sql, periods, isBusy: () => true, stopping: stopping.signal })
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
