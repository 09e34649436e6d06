/** Published versions, and the effect of publishing the draft on active runs. */
import { notFound } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { type PageOf, toPage, toPageRequest } from '../core/pagination.ts'
import type { PageQuery } from '../core/schema.ts'
import { verb } from '../core/verb.ts'
import { JsonText } from '../platform/json-text.ts'
import type { Draft } from './draft-schema.ts'
import { requireWorkflow } from './require-workflow.ts'
import { findDefinition } from './runs/stop-and-move-sql.ts'
import type { WorkflowImpact, WorkflowVersion, WorkflowVersionWhole } from './schema.ts'
import { runsByStep, type StepCounts } from './stats.ts'
import { countActiveRuns } from './stats-sql.ts'
import { findVersion, selectVersions, type VersionRow } from './versions-sql.ts'

/** Lists versions, newest first, without their definitions. */
export const listVersions = verb(
  { by: 'member' },
  async (ctx, id: string, query: PageQuery): Promise<PageOf<WorkflowVersion>> => {
    await requireWorkflow(ctx, id)
    const page = toPageRequest(query)
    return toPage(await selectVersions(ctx.sql, ctx.caller.workspaceId, id, page), page, shapeVersion)
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
    byStep: runsByStep(stepCounts),
    removedSteps: [...steps].filter(step => !Object.hasOwn(draft.steps, step)).sort(),
    movable: totalRuns(stepCounts.filter(({ stepId }) => hasStep(draft, stepId))),
  }
})

/** A run before its first step can start with any version. */
const hasStep = ({ steps }: Draft, stepId: string | null): boolean => stepId === null || Object.hasOwn(steps, stepId)

const totalRuns = (stepCounts: StepCounts): number => stepCounts.reduce((sum, { runs }) => sum + runs, 0)
