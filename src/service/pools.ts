/**
 * The connections of a process, by what they are for: docs/operations.md lists them. Nothing else
 * in a process opens any but the listener and Graphile Worker.
 */
import { connect, type Database } from '../db/client.ts'
import { Admission, type Lender, Readers } from '../db/lend.ts'
import type { LineOptions } from '../db/line.ts'
import { type Part, simplePart } from '../platform/part.ts'

export interface Pools {
  /** Signs of life, leases, what processes tell each other: short, and never behind anything else. */
  vital: Database
  /** What acts: the pumps, the mailboxes and their settlements. */
  acting: Database
  /** Recording events, and who sends them: the look-ups of keys and sessions. */
  recording: Database
  /** What the API changes besides, for people who have not signed in yet as well; and what was refused. */
  changing: Database
  /** What may take a while and that nobody waits for: tasks, lags, the last use of keys. */
  chores: Database
  /** Lends connections of `changing` to operations that change something; some of them are left to others. */
  changes: Lender
  /** Lends connections to operations that read. */
  reads: Lender
  /** Maximum number of connections by purpose. */
  sizes: PoolSizes
  part: Part
}

/** Purposes of connections. `tasks` are those of Graphile Worker, `listener` receives notifications. */
export type PoolSizes = Record<keyof typeof least, number>

/** Every purpose works with so many. */
const least = { vital: 1, acting: 1, recording: 1, changing: 1, reading: 1, chores: 1, tasks: 2, listener: 1 }

/** More connections than these are of no use to a purpose. */
const most: Partial<PoolSizes> = { vital: 2, chores: 2, tasks: 6, listener: 1 }

/**
 * How further connections are shared out. Of 20, changing gets 4: one is left alone and the last free one is kept for
 * others, so that a workspace still changes two things at the same time. What goes by single statements needs more of them than PostgreSQL has
 * processors: a connection whose answer waits for the event loop does nothing meanwhile.
 */
const weights: PoolSizes = {
  vital: 2,
  acting: 4,
  recording: 5,
  changing: 5,
  reading: 4,
  chores: 1,
  tasks: 2,
  listener: 1,
}

/** Minimum number of connections of a process. */
export const minPoolSize = Object.values(least).reduce((sum, size) => sum + size, 0)

/** Splits the connections of a process by purpose. `total`: all of them; fewer than `minPoolSize` count as that many. */
export const poolSizes = (total: number): PoolSizes => {
  const sizes: PoolSizes = { ...least }
  const purposes = Object.keys(least) as (keyof PoolSizes)[]
  for (let left = total - minPoolSize; left > 0; left--) {
    const open = purposes.filter(purpose => sizes[purpose] < (most[purpose] ?? Number.POSITIVE_INFINITY))
    const next = open.reduce((one, other) => (sizes[other] / weights[other] < sizes[one] / weights[one] ? other : one))
    sizes[next]++
  }
  return sizes
}

/** Default of DATABASE_POOL_SIZE. */
export const defaultPoolSize = 20

/** Seconds that a query waits for the connections that are open while PostgreSQL refuses another one. */
const refusedSeconds = 8

/**
 * As many of one workspace as a key may call at once; what is beyond it is told so at once. What waits for longer than its
 * caller has patience is of no use to anybody.
 */
const usualLine: LineOptions = { maxHeldEach: 5, maxWaiting: 2048, maxWaitingEach: 512, maxWaitMs: 10_000 }

/** Connections of `changing` that operations leave alone. */
const leftAlone = 1

/** Nobody waits longer for a list. */
const maxReadMs = 5000

/** Nor for a change. */
const maxChangeMs = 10_000

/** A sign of life that takes longer comes too late. */
const maxVitalMs = 3000

/** Whoever is recorded together waits for a lock that one of them needs; then that one tries alone. */
const maxRecordingLockMs = 1000

/** Connections that are needed now and then only are closed after a minute of rest. */
const idleSeconds = 60

/**
 * Opens nothing yet. `size`: maximum number of connections of the process, those of the tasks and the listener included;
 * 20 by default. `line` is that before `reads`, and that before `changes`.
 */
export const createPools = (
  url: string,
  { size = defaultPoolSize, line = usualLine }: { size?: number; line?: LineOptions } = {},
): Pools => {
  const name = 'customer-engagement'
  const sizes = poolSizes(size)
  const vital = connect({
    url,
    applicationName: `${name} vital`,
    max: sizes.vital,
    refusedSeconds,
    maxStatementMs: maxVitalMs,
    maxLockMs: maxVitalMs,
    silenceSeconds: 2 * (maxVitalMs / 1000),
  })
  const acting = connect({ url, applicationName: `${name} acting`, max: sizes.acting, refusedSeconds })
  const recording = connect({
    url,
    applicationName: `${name} recording`,
    max: sizes.recording,
    refusedSeconds,
    maxLockMs: maxRecordingLockMs,
  })
  const changing = connect({
    url,
    applicationName: `${name} changing`,
    max: sizes.changing,
    refusedSeconds,
    maxStatementMs: maxChangeMs,
    maxLockMs: maxChangeMs / 2,
    silenceSeconds: 2 * (maxChangeMs / 1000),
    idleSeconds,
  })
  const chores = connect({ url, applicationName: `${name} chores`, max: sizes.chores, refusedSeconds, idleSeconds })
  const reads = new Readers({
    connection: {
      url,
      applicationName: `${name} reading`,
      refusedSeconds,
      silenceSeconds: 2 * (maxReadMs / 1000),
      idleSeconds,
    },
    count: sizes.reading,
    maxMs: maxReadMs,
    cancelFrom: vital,
    ...line,
  })
  const all = [vital, acting, recording, changing, chores, reads]
  const end = async (deadline: AbortSignal) => {
    const timeout = deadline.aborted ? 1 : 5
    await Promise.all(all.map(pool => pool.end({ timeout })))
  }
  return {
    vital,
    acting,
    recording,
    changing,
    chores,
    changes: new Admission(changing, { places: Math.max(1, sizes.changing - leftAlone), ...line }),
    reads,
    sizes,
    part: simplePart('connections', { stop: end }),
  }
}
