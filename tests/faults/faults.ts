/**
 * The faults that are injected one by one. Each test proves that nothing is lost, and prints what was repeated and how
 * long it took until all was out, as a row of the table in docs/performance.md.
 */
import type { Receiver } from '../support/receiver.ts'
import { eventually } from '../support/world.ts'
import {
  eventIdOf,
  expectNothingLost,
  type Load,
  recordedOf,
  type Sent,
  type Started,
  sendOrder,
  startLoad,
} from './support.ts'

/** Names of the faults, in the order of the table. */
export const faults = [
  'kill -9 of the service',
  'kill -9 of a worker',
  'kill -9 of PostgreSQL',
  'restart of PostgreSQL',
  'failover to a standby',
  'connections refused',
  'connections reset',
  'connections hang',
  'a lock on each hot row',
  'disk full',
  'out of memory',
  'clock one hour ahead',
  'clock one hour behind',
  'DNS hangs',
  'DNS lies',
  'DNS changes after the check',
  'receiver hangs',
  'receiver resets',
  'receiver drips',
  'receiver answers 100 MiB',
  'receiver redirects',
  'receiver flaps',
  'provider answers late',
  'provider answers twice',
  'provider answers out of order',
  'two versions',
] as const

export type Fault = (typeof faults)[number]

/** Minimum number of orders that are recorded before a fault. */
const ordersBefore = 50

/**
 * Records orders, injects the fault and waits until everything is out. `strike` resolves when the fault is over. Sends
 * each order without a 201 again with its key. Fails if anything is lost. Returns the first answers, and the
 * milliseconds from the end of the fault until everything was out. `url` returns the current URL of the service.
 */
export const prove = async (
  fault: Fault,
  started: Started,
  strike: (load: Load) => Promise<unknown>,
  url: () => string | null = () => started.service.url,
): Promise<{ sent: readonly Sent[]; outMs: number }> => {
  const [first] = started.receivers
  const load = startLoad(url, started.shop.key)
  await first!.waitFor(first!.requests.length + ordersBefore)
  const from = started.receivers.map(({ requests }) => requests.length)
  await strike(load)
  const overAt = Date.now()
  const sent = await load.stop()
  const unrecorded = sent.filter(({ status }) => status !== 201)
  const repeated = await Promise.all(unrecorded.map(({ order }) => sendUntilRecorded(url, started.shop.key, order)))
  await expectNothingLost(started, [...recordedOf(sent), ...repeated])
  const arrivals = started.receivers.map(({ requests }, index) => requests.slice(from[index]))
  return { sent, outMs: report(fault, sent.length, arrivals, overAt) }
}

/** Sends an order with its key until it is recorded. The answer is 200 if an earlier request recorded it. */
const sendUntilRecorded = (url: () => string | null, key: string, order: Sent['order']): Promise<Sent> =>
  eventually(
    'an order is recorded',
    async () => {
      const at = url()
      const sent = at === null ? null : await sendOrder(at, key, order)
      return sent && (sent.status === 201 || sent.status === 200) && { ...sent, status: 201 }
    },
    30_000,
  )

/**
 * Prints the row of a fault: the number of items that had to arrive, which are all there, the number of arrivals that
 * repeat an earlier one of the same receiver, and the seconds from the end of the fault to the last arrival. Returns the
 * latter in milliseconds.
 */
export const report = (
  fault: Fault,
  count: number,
  arrivals: readonly Receiver['requests'][],
  overAt: number,
): number => {
  const repeated = arrivals.reduce((sum, some) => sum + some.length - new Set(some.map(eventIdOf)).size, 0)
  const lastAt = Math.max(overAt, ...arrivals.flat().map(({ receivedAt }) => receivedAt.getTime()))
  print(fault, count, repeated, lastAt - overAt)
  return lastAt - overAt
}

/** Prints the row of a fault. `outMs` is the time from the end of the fault until all was out. */
export const print = (fault: Fault, count: number, repeated: number, outMs: number): void => {
  process.stdout.write(`| ${fault} | ${count} | 0 | ${repeated} | ${(outMs / 1000).toFixed(1)} s |\n`)
}
