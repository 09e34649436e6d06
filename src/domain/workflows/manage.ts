import { type Ctx, inTransaction } from '../context.ts'
import { requireRoom } from '../entitlements/index.ts'
import { DomainError, notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { JsonText } from '../json-text.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import type { PageQuery } from '../schema.ts'
import { verb } from '../verb.ts'
import type { ChangeWorkflow, CreateWorkflow, Run, Workflow } from './schema.ts'
import {
  findChannels,
  findWorkflow,
  insertVersion,
  insertWorkflow,
  type ListedWorkflow,
  lockSwitch,
  type RunRow,
  selectRuns,
  selectWorkflows,
  updateWorkflow,
  type WorkflowRow,
} from './sql.ts'
import type { Reference } from './steps/index.ts'
import { checkDefinition, referencesOf, refuseMissing } from './validate.ts'

/** A new workflow: a draft, switched off. */
export const createWorkflow = verb(
  { by: 'owner', feature: 'workflows' },
  async ({ sql, caller }, { name, definition }: CreateWorkflow): Promise<Workflow> => {
    checkDefinition(definition)
    return shape(await insertWorkflow(sql, { workspaceId: caller.workspaceId, name, draft: definition }))
  },
)

export const listWorkflows = verb(
  { by: 'member' },
  async ({ sql, caller }, query: PageQuery): Promise<PageOf<Workflow>> => {
    const page = pageRequest(query)
    return pageOf(await selectWorkflows(sql, caller.workspaceId, page), page.limit, shapeListed)
  },
)

export const readWorkflow = verb(
  { by: 'member' },
  async (ctx, id: string): Promise<Workflow> => shape(await existing(ctx, id)),
)

/**
 * Changes name, draft or the switch. Runs under way and the published version stay as they are. Switched on, a workflow
 * counts as one of the plan's active workflows; one that was on already takes no more room.
 */
export const changeWorkflow = verb(
  { by: 'owner', feature: 'workflows' },
  async (ctx, id: string, change: ChangeWorkflow): Promise<Workflow> => {
    if (change.definition) checkDefinition(change.definition)
    if (!isId(id)) throw notFound('workflow')
    const { workspaceId } = ctx.caller
    const row = await inTransaction(ctx, async ({ sql }) => {
      if (change.enabled) {
        const isOn = await lockSwitch(sql, workspaceId, id)
        if (isOn === false) await requireRoom(sql, workspaceId, 'activeWorkflows')
      }
      return updateWorkflow(sql, {
        workspaceId,
        id,
        name: change.name ?? null,
        draft: change.definition ?? null,
        enabled: change.enabled ?? null,
      })
    })
    if (!row) throw notFound('workflow')
    return shape(row)
  },
)

/**
 * Makes the draft the published version. Runs already started keep the version they were started with. The channels it
 * names are looked for only now: a draft may be written before they are connected.
 */
export const publishWorkflow = verb(
  { by: 'owner', feature: 'workflows' },
  async (ctx, id: string): Promise<Workflow> => {
    const { draft } = await existing(ctx, id)
    checkDefinition(draft, 'draft')
    refuseMissing(await missingOf(ctx, referencesOf(draft)), 'draft')
    const row = await insertVersion(ctx.sql, { workspaceId: ctx.caller.workspaceId, id, userId: ctx.caller.id, draft })
    if (!row)
      throw new DomainError(
        'conflict',
        'The draft changed while it was being published. Read it again and publish what you see.',
      )
    return shape(row)
  },
)

const missingOf = async ({ sql, caller }: Ctx, references: Reference[]): Promise<Reference[]> => {
  if (references.length === 0) return []
  const found = await findChannels(
    sql,
    caller.workspaceId,
    references.map(({ id }) => id),
  )
  const existing = new Set(found.map(({ id }) => id))
  return references.filter(({ id }) => !existing.has(id.toLowerCase()))
}

/** Runs of one workflow with the trace of each. */
export const listRuns = verb({ by: 'member' }, async (ctx, id: string, query: PageQuery): Promise<PageOf<Run>> => {
  await existing(ctx, id)
  const page = pageRequest(query)
  return pageOf(await selectRuns(ctx.sql, ctx.caller.workspaceId, id, page), page.limit, shapeRun)
})

const existing = async ({ sql, caller }: Ctx, id: string): Promise<WorkflowRow> => {
  const row = isId(id) ? await findWorkflow(sql, caller.workspaceId, id) : null
  if (!row) throw notFound('workflow')
  return row
}

const shape = (row: Omit<WorkflowRow, 'draft'> & Pick<Workflow, 'draft'>): Workflow => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const shapeListed = ({ draftText, ...row }: ListedWorkflow): Workflow =>
  shape({ ...row, draft: new JsonText(draftText) })

const shapeRun = ({ stepsText, ...row }: RunRow): Run => ({
  ...row,
  wakeAt: row.wakeAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
  steps: new JsonText(stepsText),
})
