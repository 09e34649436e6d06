/**
 * The connections of a process, by what they are for: README.md in this folder tells why there are several. Nothing else
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
  part: Part
}

/**
 * Most connections of each pool, opened when they are needed. Whatever goes by single statements wants more of them than
 * PostgreSQL has processors: a connection whose answer waits for the event loop to come round does nothing meanwhile.
 */
const sizes = { vital: 2, acting: 5, recording: 7, changing: 8, chores: 2, reading: 8 }

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

/** Opens nothing yet. `line` is that before `reads`, and that before `changes`. */
export const createPools = (url: string, line: LineOptions = usualLine): Pools => {
  const name = 'customer-engagement'
  const vital = connect({
    url,
    applicationName: `${name} vital`,
    max: sizes.vital,
    maxStatementMs: maxVitalMs,
    maxLockMs: maxVitalMs,
    silenceSeconds: 2 * (maxVitalMs / 1000),
  })
  const acting = connect({ url, applicationName: `${name} acting`, max: sizes.acting })
  const recording = connect({
    url,
    applicationName: `${name} recording`,
    max: sizes.recording,
    maxLockMs: maxRecordingLockMs,
  })
  const changing = connect({
    url,
    applicationName: `${name} changing`,
    max: sizes.changing,
    maxStatementMs: maxChangeMs,
    maxLockMs: maxChangeMs / 2,
    silenceSeconds: 2 * (maxChangeMs / 1000),
    idleSeconds,
  })
  const chores = connect({ url, applicationName: `${name} chores`, max: sizes.chores, idleSeconds })
  const reads = new Readers({
    connection: {
      url,
      applicationName: `${name} reading`,
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
    changes: new Admission(changing, { places: sizes.changing - leftAlone, ...line }),
    reads,
    part: simplePart('connections', { stop: end }),
  }
}
