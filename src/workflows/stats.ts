/** Statistics of the runs of a workflow. */
import { invalidRequest } from '../core/errors.ts'
import { minIdAt } from '../core/ids.ts'
import { verb } from '../core/verb.ts'
import { providers } from '../messaging/channels/index.ts'
import { clock } from '../platform/clock.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { requireWorkflow } from './require-workflow.ts'
import { maxEdges, maxSteps, type RunsOfDay, type StatsQuery, type WorkflowStats } from './stats-schema.ts'
import {
  countActiveRuns,
  countRecentRuns,
  countRunsByDay,
  countStepMessages,
  countSteps,
  findLastRunAt,
  maxCounted,
  type RecentRuns,
  type RunRange,
} from './stats-sql.ts'

const dayMs = 86_400_000
const defaultPeriodMs = 7 * dayMs
/** Maximum length of a period in days. */
const maxDays = 400
/** Maximum number of executed steps that are counted by step. */
const maxStepsCounted = 500_000
/** Time after a message in which a reply counts. */
const replyMs = 7 * dayMs

export const readStats = verb({ by: 'member' }, async (ctx, id: string, query: StatsQuery): Promise<WorkflowStats> => {
  const { by } = query
  const period = periodOf(query)
  await requireWorkflow(ctx, id)
  const { sql } = ctx
  const { workspaceId } = ctx.caller
  const range = { workspaceId, workflowId: id, ...idsOf(period), version: query.version ?? null }
  const days = await countRecentRuns(sql, workspaceId, id)
  const totalOf = (counter: keyof RecentRuns): number => days.reduce((sum, day) => sum + day[counter], 0)
  return {
    waiting: runsByStep(await countActiveRuns(sql, workspaceId, id)),
    lastRunAt: (await findLastRunAt(sql, workspaceId, id))?.toISOString() ?? null,
    last7Days: {
      started: totalOf('started'),
      completed: totalOf('completed'),
      failed: totalOf('failed'),
      exited: totalOf('exited'),
    },
    ...(by === 'day' && { startedByDay: startedByDay(days), ...(await statsByDay(sql, range, period)) }),
    ...(by === 'step' && (await statsByStep(sql, range, period))),
  }
})

interface Period {
  since: Date
  until: Date
}

const periodOf = (query: StatsQuery): Period => {
  const untilMs = query.until === undefined ? clock.now() : Date.parse(query.until)
  const sinceMs = query.since === undefined ? untilMs - defaultPeriodMs : Date.parse(query.since)
  if (sinceMs > untilMs) throw invalidRequest({ since: 'Must not be later than "until", which defaults to now.' })
  if (untilMs - sinceMs > maxDays * dayMs)
    throw invalidRequest({ since: `Must be closer to "until". A period has at most ${maxDays} days.` })
  return { since: new Date(sinceMs), until: new Date(untilMs) }
}

/** Returns the ids between which runs of the period are. */
const idsOf = ({ since, until }: Period) => ({ fromId: minIdAt(since), untilId: minIdAt(until) })

const shapePeriod = ({ since, until }: Period) => ({ since: since.toISOString(), until: until.toISOString() })

const statsByDay = async (sql: Sql, range: RunRange, period: Period) => {
  const rows = await countRunsByDay(sql, range, maxCounted + 1)
  const byTime = new Map(rows.map(({ at, ...counts }) => [at.getTime(), counts]))
  const runs = rows.reduce((sum, { started }) => sum + started, 0)
  const first = Math.floor(period.since.getTime() / dayMs) * dayMs
  const days: RunsOfDay[] = []
  for (let at = first; at < period.until.getTime(); at += dayMs)
    days.push({ at: new Date(at).toISOString(), ...(byTime.get(at) ?? noRuns) })
  return { period: { ...shapePeriod(period), runs, complete: runs <= maxCounted }, days }
}

const noRuns = { started: 0, done: 0, failed: 0, stopped: 0 }

const statsByStep = async (sql: Sql, range: RunRange, period: Period) => {
  const limits = { runs: maxCounted, steps: maxStepsCounted }
  const { runs, complete, steps, edges } = await countSteps(sql, range, limits)
  const messages = await countStepMessages(sql, { ...range, withinMs: replyMs, readKinds }, limits)
  const byStep = new Map(messages.map(({ stepId, reportsRead, ...counts }) => [stepId, shapeRead(counts, reportsRead)]))
  return {
    period: { ...shapePeriod(period), runs, complete },
    steps: steps.slice(0, maxSteps).map(step => ({ ...step, ...(byStep.get(step.stepId) ?? noMessages) })),
    edges: edges.slice(0, maxEdges),
  }
}

const shapeRead = <Counts extends { read: number }>(counts: Counts, reportsRead: boolean) => ({
  ...counts,
  read: reportsRead ? counts.read : null,
})

const noMessages = { sent: 0, delivered: 0, read: 0, replied: 0, failed: 0 }

/** Kinds of channels that report reads. */
const readKinds = Object.entries(providers).flatMap(([kind, { capabilities }]) =>
  capabilities.reportsRead ? [kind] : [],
)

const startedByDay = (days: readonly { day: number; started: number }[]): number[] =>
  [6, 5, 4, 3, 2, 1, 0].map(daysAgo => days.find(({ day }) => day === daysAgo)?.started ?? 0)

/** Active runs by step. The step is null before the first one. */
export type StepCounts = readonly { stepId: string | null; runs: number }[]

/** Returns the number of runs at each step, without those before their first step. */
export const runsByStep = (stepCounts: StepCounts): Record<string, number> =>
  Object.fromEntries(stepCounts.flatMap(({ stepId, runs }) => (stepId === null ? [] : [[stepId, runs]])))
