/** `queues`: lists the due work by queue, with its age, rate and pauses. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../platform/postgres/client.ts'
import { readWorkCounts, type StoredCounts, type WorkCounts } from '../../platform/postgres/lease.ts'
import { type Lags, maxDepth, readDueDepths, readLags } from '../../queue/lag.ts'
import { isPausable, type PausedWork, readPauses } from '../../queue/pauses/index.ts'
import { countHeldMails } from '../../queue/tasks.ts'
import { type FanOutSample, readFanOut } from '../../webhooks/outbound-events/index.ts'
import { type RecentCounts, sumRecentCounts } from '../../webhooks/statistics/index.ts'
import { type HeldKind, heldKinds } from '../restore/index.ts'
import { createPrintSignal } from './signals.ts'
import { formatTable } from './table.ts'
import { type Command, parseArguments } from './usage.ts'
import { labelOf, withMigratedDatabase } from './with-database.ts'

export const queuesUsages = [
  'queues [--watch] [--json], for example queues --watch. The rate of campaigns counts recipients',
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
  /**
   * Work per second since the last output: attempts of deliveries and mails, outbound events whose deliveries were
   * created, settled messages and recipients, and started runs. Null in the first output of a cell that was unreachable
   * before.
   */
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
      const stop = values.watch ? createPrintSignal() : new AbortController().signal
      const before = new Map<string, Sample>()
      await cells.each(async ({ name, sql }) => before.set(name, (await readSample(sql, null)).sample))
      do {
        await sleep(sampleMs, undefined, { signal: stop }).catch(() => {})
        if (stop.aborted) return cells.status
        const inCells = await cells.each(async ({ name, sql, label }) => {
          const { sample, rates } = await readSample(sql, before.get(name) ?? null)
          before.set(name, sample)
          const states = toStates(await readDue(sql), await readPauses(sql), rates)
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
  outbox: FanOutSample
  work: readonly StoredCounts[]
}

type Rates = Record<HeldKind, number>

/** Reads a sample, and the rates since an earlier one. They are null without one. */
const readSample = async (sql: Database, before: Sample | null): Promise<{ sample: Sample; rates: Rates | null }> => {
  const { fannedOut, sample: outbox } = await readFanOut(sql, before?.outbox ?? null)
  const sample = { outbox, counts: await sumRecentCounts(sql), work: await readWorkCounts(sql), at: performance.now() }
  if (before === null || fannedOut === null) return { sample, rates: null }
  const ms = sample.at - before.at
  // The sums start again with each hour, and a deleted workspace has none.
  const of = (from: number, to: number) => perSecond(Math.max(0, to - from), ms)
  const rates: Rates = {
    deliveries: of(before.counts.attempts, sample.counts.attempts),
    'outbound events': of(0, fannedOut),
    messages: of(before.counts.messages, sample.counts.messages),
    runs: of(before.counts.runs, sample.counts.runs),
    campaigns: workPerSecond(before, sample, 'settledRecipients'),
    mails: workPerSecond(before, sample, 'mailAttempts'),
  }
  return { sample, rates }
}

/** Sums the rates of all processes, each between its own heartbeats. A process has a rate from the second sample on. */
const workPerSecond = (before: Sample, now: Sample, name: keyof WorkCounts): number => {
  const earlier = new Map(before.work.map(counts => [counts.id, counts]))
  let sum = 0
  for (const counts of now.work) {
    const known = earlier.get(counts.id)
    if (known && known.at < counts.at) sum += perSecond(counts[name] - known[name], counts.at - known.at)
  }
  return sum
}

const perSecond = (count: number, ms: number): number => (count * 1000) / ms

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

const toStates = (due: Due, paused: PausedWork, rates: Rates | null): QueueState[] =>
  heldKinds.map(queue => ({
    queue,
    ...due[queue],
    perSecond: rates && Math.round(rates[queue] * 10) / 10,
    paused: pauseOf(queue, paused),
  }))

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
      perSecond === null ? '-' : String(perSecond),
      paused === null
        ? '-'
        : paused === 'all'
          ? 'all workspaces'
          : `${paused} ${paused === 1 ? 'workspace' : 'workspaces'}`,
    ]),
  ])
