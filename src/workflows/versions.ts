/** Published versions, the effect of publishing the draft on active runs, and run statistics. */
import { notFound } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { type PageOf, toPage, toPageRequest } from '../core/pagination.ts'
import type { PageQuery } from '../core/schema.ts'
import { verb } from '../core/verb.ts'
import { JsonText } from '../platform/json-text.ts'
import type { Draft } from './draft-schema.ts'
import { requireWorkflow } from './require-workflow.ts'
import { findDefinition } from './runs/stop-and-move-sql.ts'
import type { StatsQuery, WorkflowImpact, WorkflowStats, WorkflowVersion, WorkflowVersionWhole } from './schema.ts'
import {
  countActiveRuns,
  countRecentRuns,
  findVersion,
  type RecentRuns,
  selectVersions,
  type VersionRow,
} from './versions-sql.ts'

/** Lists versions, newest first, without their definitions. */
export const listVersions = verb(
  { by: 'member' },
  async (ctx, id: string, query: PageQuery): Promise<PageOf<WorkflowVersion>> => {
    await requireWorkflow(ctx, id)
    const page = toPageRequest(query)
    return toPage(await selectVersions(ctx.sql, ctx.caller.workspaceId, id, page), page.limit, shapeVersion)
  },
)

export const readVersion = verb(
  { by: 'member' },
  async ({ sql, caller }, id: string, number: string): Promise<WorkflowVersionWhole> => {
    const isNumber = /^[1-9]\d{0,8}$/.test(number)
    const row = isId(id) && isNumber ? await findVersion(sql, caller.workspaceId, id, Number(number)) : null
    if (!row) throw notFound('version')
    return { ...shapeVersion(row), definition: new JsonText(row.definitionText) }
  },
)

const shapeVersion = ({ version, publishedBy, publishedAt }: VersionRow): WorkflowVersion => ({
  version,
  publishedBy,
  publishedAt: publishedAt.toISOString(),
})

/** Returns the steps of active runs, and how many runs could continue with the draft if it were published. */
export const readImpact = verb({ by: 'member' }, async (ctx, id: string): Promise<WorkflowImpact> => {
  const { draft, publishedVersion } = await requireWorkflow(ctx, id)
  const { workspaceId } = ctx.caller
  const stepCounts = await countActiveRuns(ctx.sql, workspaceId, id)
  const version = publishedVersion ?? 0
  const published = await findDefinition(ctx.sql, { workspaceId, workflowId: id, version })
  const steps = new Set([...Object.keys(published?.steps ?? {}), ...stepCounts.flatMap(({ stepId }) => stepId ?? [])])
  return {
    runsInFlight: totalRuns(stepCounts),
    byStep: byStep(stepCounts),
    removedSteps: [...steps].filter(step => !Object.hasOwn(draft.steps, step)).sort(),
    movable: totalRuns(stepCounts.filter(({ stepId }) => hasStep(draft, stepId))),
  }
})

/** A run before its first step can start with any version. */
const hasStep = ({ steps }: Draft, stepId: string | null): boolean => stepId === null || Object.hasOwn(steps, stepId)

export const readStats = verb({ by: 'member' }, async (ctx, id: string, { by }: StatsQuery): Promise<WorkflowStats> => {
  await requireWorkflow(ctx, id)
  const { workspaceId } = ctx.caller
  const waiting = byStep(await countActiveRuns(ctx.sql, workspaceId, id))
  const days = await countRecentRuns(ctx.sql, workspaceId, id)
  const totalOf = (counter: keyof RecentRuns): number => days.reduce((sum, day) => sum + day[counter], 0)
  return {
    waiting,
    last7Days: {
      started: totalOf('started'),
      completed: totalOf('completed'),
      failed: totalOf('failed'),
      exited: totalOf('exited'),
    },
    ...(by === 'day' && { startedByDay: startedByDay(days) }),
  }
})

const startedByDay = (days: readonly { day: number; started: number }[]): number[] =>
  [6, 5, 4, 3, 2, 1, 0].map(daysAgo => days.find(({ day }) => day === daysAgo)?.started ?? 0)

type StepCounts = readonly { stepId: string | null; runs: number }[]

const byStep = (stepCounts: StepCounts): Record<string, number> =>
  Object.fromEntries(stepCounts.flatMap(({ stepId, runs }) => (stepId === null ? [] : [[stepId, runs]])))

const totalRuns = (stepCounts: StepCounts): number => stepCounts.reduce((sum, { runs }) => sum + runs, 0)
