/** Published versions, the effect of publishing the draft on active runs, and run statistics. */
import { notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { JsonText } from '../json-text.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import type { PageQuery } from '../schema.ts'
import { verb } from '../verb.ts'
import type { Draft } from './draft-schema.ts'
import { existing } from './existing.ts'
import { findDefinition } from './move-sql.ts'
import type { StatsQuery, WorkflowImpact, WorkflowStats, WorkflowVersion, WorkflowVersionWhole } from './schema.ts'
import {
  countLivingRuns,
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
    await existing(ctx, id)
    const page = pageRequest(query)
    return pageOf(await selectVersions(ctx.sql, ctx.caller.workspaceId, id, page), page.limit, shapeVersion)
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
  const { draft, publishedVersion } = await existing(ctx, id)
  const { workspaceId } = ctx.caller
  const places = await countLivingRuns(ctx.sql, workspaceId, id)
  const version = publishedVersion ?? 0
  const published = await findDefinition(ctx.sql, { workspaceId, workflowId: id, version })
  const steps = new Set([...Object.keys(published?.steps ?? {}), ...places.flatMap(({ stepId }) => stepId ?? [])])
  return {
    runsInFlight: sumOf(places),
    byStep: byStep(places),
    removedSteps: [...steps].filter(step => !Object.hasOwn(draft.steps, step)).sort(),
    movable: sumOf(places.filter(({ stepId }) => isIn(draft, stepId))),
  }
})

/** A run before its first step can start with any version. */
const isIn = ({ steps }: Draft, stepId: string | null): boolean => stepId === null || Object.hasOwn(steps, stepId)

export const readStats = verb({ by: 'member' }, async (ctx, id: string, { by }: StatsQuery): Promise<WorkflowStats> => {
  await existing(ctx, id)
  const { workspaceId } = ctx.caller
  const waiting = byStep(await countLivingRuns(ctx.sql, workspaceId, id))
  const days = await countRecentRuns(ctx.sql, workspaceId, id)
  const inAll = (what: keyof RecentRuns): number => days.reduce((sum, day) => sum + day[what], 0)
  return {
    waiting,
    last7Days: {
      started: inAll('started'),
      completed: inAll('completed'),
      failed: inAll('failed'),
      exited: inAll('exited'),
    },
    ...(by === 'day' && { startedByDay: startedByDay(days) }),
  }
})

const startedByDay = (days: readonly { day: number; started: number }[]): number[] =>
  [6, 5, 4, 3, 2, 1, 0].map(ago => days.find(({ day }) => day === ago)?.started ?? 0)

type Places = readonly { stepId: string | null; runs: number }[]

const byStep = (places: Places): Record<string, number> =>
  Object.fromEntries(places.flatMap(({ stepId, runs }) => (stepId === null ? [] : [[stepId, runs]])))

const sumOf = (places: Places): number => places.reduce((sum, { runs }) => sum + runs, 0)
