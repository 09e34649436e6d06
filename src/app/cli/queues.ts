/** `queues`: lists the due work by queue, with its age, rate and pauses. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../platform/postgres/client.ts'
import { type Lags, maxDepth, readDueDepths, readLags } from '../../queue/lag.ts'
import { isPausable, type PausedWork, readPauses } from '../../queue/pauses/index.ts'
import { countHeldMails } from '../../queue/tasks.ts'
import { type RecentCounts, sumRecentCounts } from '../../webhooks/statistics/index.ts'
import { type HeldKind, heldKinds } from '../restore/index.ts'
import { createStopSignal } from './signals.ts'
import { formatTable } from './table.ts'
import { type Command, parseArguments } from './usage.ts'
import { labelOf, withMigratedDatabase } from './with-database.ts'

export const queuesUsages = [
  'queues [--watch] [--json], for example queues --watch. Only deliveries, messages and runs have a rate',
] as const

/** Milliseconds between the two samples of a rate, and between two outputs of `--watch`. */
const sampleMs = 2000

/** A queue of due rows. */
export interface QueueState {
  /** Name of the cell. Missing with one cell. */
  cell?: string
  queue: HeldKind
  /** Number of due rows, at most 10,000. Rows of disabled endpoints are not due. */
  depth: number
  /** Age of the oldest due row in seconds. Null without due rows, or if the due runs are paused. */
  oldestSeconds: number | null
  /** Attempts, settled messages or started runs per second. Null for the other queues, whose work is not counted. */
  perSecond: number | null
  /** `all`, the number of workspaces with a pause, or null. */
  paused: 'all' | number | null
}

export const queues: Command = args => {
  const { values } = parseArguments(
    { args, options: { watch: { type: 'boolean' }, json: { type: 'boolean' } } },
    queuesUsages,
  )
  return config =>
    withMigratedDatabase(config, async cells => {
      const stop = values.watch ? createStopSignal() : new AbortController().signal
      const before = new Map<string, Sample>()
      await cells.each(async ({ name, sql }) => before.set(name, await readSample(sql)))
      do {
        await sleep(sampleMs, undefined, { signal: stop }).catch(() => {})
        if (stop.aborted) return cells.status
        const inCells = await cells.each(async ({ name, sql, label }) => {
          const sample = await readSample(sql)
          // Without an earlier sample, the cell was away.
          const earlier = before.get(name) ?? { ...sample, at: Number.NEGATIVE_INFINITY }
          before.set(name, sample)
          const states = toStates(await readDue(sql), await readPauses(sql), earlier, sample)
          return states.map(state => ({ ...label.field, ...state }))
        })
        const states = inCells.flat()
        process.stdout.write(
          values.json ? `${JSON.stringify(states)}\n` : format(states, labelOf(config, 'CELL').column),
        )
      } while (values.watch)
      return cells.status
    })
}

interface Sample {
  at: number
  counts: RecentCounts
}

const readSample = async (sql: Database): Promise<Sample> => ({
  counts: await sumRecentCounts(sql),
  at: performance.now(),
})

type Due = Record<HeldKind, Pick<QueueState, 'depth' | 'oldestSeconds'>>

/** Reads the due work of each queue, also that of paused workspaces. Counts at most `maxDepth` rows of each queue. */
const readDue = async (sql: Database): Promise<Due> => {
  const depths = await readDueDepths(sql)
  const { due, receivers } = await readLags(sql)
  const mails = await countHeldMails(sql, maxDepth)
  const of = (queue: keyof Lags, seconds = due[queue]) => ({
    depth: depths[queue],
    oldestSeconds: depths[queue] === 0 || seconds === 0 ? null : seconds,
  })
  return {
    deliveries: of('deliveries', Math.max(due.deliveries, receivers.deliveries)),
    'outbound events': of('outbound events'),
    messages: of('messages', Math.max(due.messages, receivers.messages)),
    runs: of('runs'),
    campaigns: of('campaigns'),
    mails: { depth: mails.count, oldestSeconds: mails.oldestSeconds },
  }
}

const counterOf: Partial<Record<HeldKind, keyof RecentCounts>> = {
  deliveries: 'attempts',
  messages: 'messages',
  runs: 'runs',
}

const toStates = (due: Due, paused: PausedWork, before: Sample, now: Sample): QueueState[] =>
  heldKinds.map(queue => {
    const counter = counterOf[queue]
    // The sums start again with each hour.
    const rate = counter && Math.max(0, now.counts[counter] - before.counts[counter]) / ((now.at - before.at) / 1000)
    return {
      queue,
      ...due[queue],
      perSecond: rate === undefined ? null : Math.round(rate * 10) / 10,
      paused: pauseOf(queue, paused),
    }
  })

const pauseOf = (queue: HeldKind, paused: PausedWork): QueueState['paused'] => {
  if (!isPausable(queue)) return null
  if (paused.isPausedEverywhere(queue)) return 'all'
  return paused.workspaces(queue).length || null
}

const format = (states: QueueState[], cellHeading: string[]): string =>
  formatTable([
    [...cellHeading, 'QUEUE', 'DUE', 'OLDEST', 'PER SECOND', 'PAUSED'],
    ...states.map(({ cell, queue, depth, oldestSeconds, perSecond, paused }) => [
      ...(cell === undefined ? [] : [cell]),
      queue,
      depth >= maxDepth ? `${depth} or more` : String(depth),
      oldestSeconds === null ? '-' : `${Math.round(oldestSeconds)} s`,
      perSecond === null ? '' : String(perSecond),
      paused === null ? '-' : paused === 'all' ? 'all workspaces' : `${paused} workspaces`,
    ]),
  ])
