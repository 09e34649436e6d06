import { TypeCompiler } from '@sinclair/typebox/compiler'
import { withAudit } from '../accounts/audit/index.ts'
import { requireAllowance } from '../accounts/entitlements/index.ts'
import type { Ctx } from '../core/context.ts'
import { DomainError, invalidRequest, notFound } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { lockWorkspace } from '../core/locks.ts'
import { type PageOf, toPage } from '../core/pagination.ts'
import { verb } from '../core/verb.ts'
import { requireVersion } from '../core/version.ts'
import { findTemplates, hasAllValues } from '../messaging/templates/index.ts'
import { JsonText } from '../platform/json-text.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { enqueue } from '../queue/tasks.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { completeDefinition, draftErrorsOf } from './draft.ts'
import type { Draft } from './draft-schema.ts'
import { findReferencedRecords } from './referenced.ts'
import { requireWorkflow } from './require-workflow.ts'
import { EventType } from './runs/arrivals.ts'
import { enqueueStopRuns } from './runs/stop-and-move.ts'
import { findDefinition } from './runs/stop-and-move-sql.ts'
import type { ChangeWorkflow, CreateWorkflow, PublishWorkflow, Workflow, WorkflowQuery } from './schema.ts'
import {
  findWorkflow,
  insertVersion,
  insertWorkflow,
  type ListedWorkflow,
  lockAndCountWorkflows,
  lockSwitch,
  lockWorkflow,
  removeWorkflow,
  selectWorkflows,
  updateWorkflow,
  type WorkflowRow,
} from './sql.ts'
import type { Reference } from './steps/index.ts'
import { referencesOf, rejectMissing, rejectUnfinished } from './validate.ts'
import { awaitedTypesOf, templateIdsOf } from './version-data.ts'
import { pruneVersions } from './versions-sql.ts'

/** Maximum number of workflows in a workspace. */
const maxWorkflows = 500

/**
 * Creates a disabled workflow with a draft, which can be incomplete like that of `changeWorkflow`. Throws 422 if the
 * workspace already has `maxWorkflows`.
 */
export const createWorkflow = verb(
  { by: 'owner', feature: 'workflows' },
  async (ctx, { name, definition }: CreateWorkflow): Promise<Workflow> => {
    const { workspaceId } = ctx.caller
    const draftErrors = draftErrorsOf(definition)
    const insert = async ({ sql }: Ctx) => {
      if ((await lockAndCountWorkflows(sql, workspaceId)) >= maxWorkflows)
        throw new DomainError(
          'unprocessable',
          `A workspace has at most ${maxWorkflows} workflows. Remove one that you no longer need.`,
        )
      const eventType = eventTypeOf(definition) ?? ''
      return insertWorkflow(sql, { workspaceId, name, draft: definition, draftErrors, eventType })
    }
    const row = await withAudit(ctx, insert, ({ id }) => ({
      action: 'createWorkflow',
      target: { type: 'workflow', id },
      detail: { name },
    }))
    return shape(row)
  },
)

export const listWorkflows = verb(
  { by: 'member' },
  async ({ sql, caller }, query: WorkflowQuery): Promise<PageOf<Workflow>> => {
    const { archived = false, q, triggerType = null, enabled = null, sort = 'newest', limit = 50, cursor } = query
    const filter = { workspaceId: caller.workspaceId, archived, text: q?.trim() || null, triggerType, enabled }
    const after = cursor === undefined ? null : decodeCursor(sort, cursor)
    const rows = await selectWorkflows(sql, filter, { limit, sort, after })
    return toPage(rows, { limit }, shapeListed, last => encodeCursor(sort, last))
  },
)

export const readWorkflow = verb(
  { by: 'member' },
  async (ctx, id: string): Promise<Workflow> => shape(await requireWorkflow(ctx, id)),
)

/**
 * Changes the name, the draft or the `enabled` switch, or archives the workflow, which also disables it. A draft can be incomplete; `draftErrors` in the response lists
 * its errors.
 *
 * Active runs and the published version do not change. An enabled workflow counts towards the plan's active workflows;
 * enabling it again does not count twice.
 */
export const changeWorkflow = verb(
  { by: 'owner', feature: 'workflows' },
  async (ctx, id: string, change: ChangeWorkflow): Promise<Workflow> => {
    const draft = change.definition ?? null
    const draftErrors = draft && draftErrorsOf(draft)
    if (change.archived && change.enabled)
      throw invalidRequest({ enabled: 'Must not be true with archived: true. An archived workflow is switched off.' })
    // An archived workflow is always disabled.
    const enabled = change.archived ? false : change.enabled
    if (change.running && enabled !== false)
      throw invalidRequest({
        running:
          'Is only allowed with enabled: false or archived: true. It decides whether active runs finish or stop.',
      })
    if (!isId(id)) throw notFound('workflow')
    const { workspaceId, id: userId } = ctx.caller
    const update = async ({ sql }: Ctx) => {
      await requireCurrent(ctx, sql, id)
      if (enabled) {
        const current = await lockSwitch(sql, workspaceId, id)
        if (current?.archived && change.archived !== false) throw isArchived('switch it on')
        if (current?.enabled === false) {
          await requireAllowance(sql, workspaceId, 'activeWorkflows')
          await requireTemplates({ ...ctx, sql }, id)
        }
      }
      const changed = await updateWorkflow(sql, {
        workspaceId,
        id,
        name: change.name ?? null,
        draft,
        draftErrors,
        eventType: draft && eventTypeOf(draft),
        enabled: enabled ?? null,
        archived: change.archived ?? null,
        userId,
      })
      if (changed && change.running === 'stop')
        await enqueueStopRuns(sql, { workspaceId, workflowId: id, startedBy: changed.updatedAt.toISOString() })
      if (!changed) throw notFound('workflow')
      return changed
    }
    const { archived, running } = change
    const { differs: _, ...row } = await withAudit(ctx, update, ({ name, differs }) =>
      differs || running === 'stop'
        ? {
            action: 'changeWorkflow',
            target: { type: 'workflow', id },
            detail: { name, changed: Object.keys(change), enabled, archived, running },
            // The editor saves a draft after each pause in typing.
            ...(isOnlyDraft(change) && { sharedFor: draftEntrySeconds }),
          }
        : null,
    )
    return shape(row)
  },
)

/** Time in seconds for which the changes of a draft by one person share an entry of the audit log. */
const draftEntrySeconds = 600

const isOnlyDraft = (change: object): boolean => Object.keys(change).join() === 'definition'

/**
 * Publishes the draft. Existing runs keep their version. Channels are checked only now, because a draft can be written
 * before they are connected.
 */
export const publishWorkflow = verb(
  { by: 'owner', feature: 'workflows' },
  async (ctx, id: string, { move = false }: PublishWorkflow): Promise<Workflow> => {
    const { draft: savedDraft } = await requireWorkflow(ctx, id)
    const draft = completeDefinition(savedDraft)
    rejectUnfinished(draft)
    const references = referencesOf(draft)
    const { workspaceId, id: userId } = ctx.caller
    const [awaits, templateIds] = [awaitedTypesOf(draft), templateIdsOf(draft)]
    const publish = async ({ sql }: Ctx) => {
      await requireCurrent(ctx, sql, id)
      // Same lock order as enabling a workflow. Removing a template also locks the workspace.
      if ((await lockSwitch(sql, workspaceId, id))?.archived) throw isArchived('publish it')
      await lockWorkspace(sql, workspaceId)
      rejectMissing(references, await findReferencedRecords({ ...ctx, sql }, references))
      await pruneOldVersions(sql, workspaceId, id)
      const published = await insertVersion(sql, { workspaceId, id, userId, draft, awaits, templateIds })
      const version = published?.publishedVersion
      if (move && version) await enqueue(sql, 'move_runs', { workspaceId, workflowId: id, version }, `move:${id}`)
      return published
    }
    const row = await withAudit(
      ctx,
      publish,
      published =>
        published && {
          action: 'publishWorkflow',
          target: { type: 'workflow', id },
          detail: { name: published.name, version: published.publishedVersion, move },
        },
    )
    if (!row)
      throw new DomainError('conflict', 'The draft was changed during publishing. Read it again, then publish it.')
    return shape(row)
  },
)

const isArchived = (action: string) =>
  new DomainError('unprocessable', `The workflow is archived. Restore it from the archive, then ${action}.`)

/** Throws 409 if `If-Match` does not name the current version of the workflow. The row stays locked. */
const requireCurrent = async (ctx: Ctx, tx: Sql, id: string): Promise<void> => {
  const row = ctx.ifMatch && (await lockWorkflow(tx, ctx.caller.workspaceId, id))
  if (row) requireVersion(ctx, row)
}

/** Deletes a workflow with its versions, but keeps its runs. Throws 422 while it is enabled or has active runs. */
export const deleteWorkflow = verb({ by: 'owner' }, async (ctx, id: string): Promise<void> => {
  if (!isId(id)) throw notFound('workflow')
  const { workspaceId } = ctx.caller
  const remove = async ({ sql }: Ctx) => {
    await requireCurrent(ctx, sql, id)
    const current = await lockSwitch(sql, workspaceId, id)
    if (current === null) throw notFound('workflow')
    if (current.enabled)
      throw new DomainError('unprocessable', 'The workflow is enabled. Switch it off, then remove it.')
    const removed = await removeWorkflow(sql, workspaceId, id)
    if (!removed)
      throw new DomainError(
        'unprocessable',
        'The workflow has active runs. Wait until they end or stop them, then remove it.',
      )
    return removed
  }
  await withAudit(ctx, remove, ({ name }) => ({
    action: 'deleteWorkflow',
    target: { type: 'workflow', id },
    detail: { name },
  }))
})

/** Removes old versions if a workflow has `maxVersions`. Throws 422 if active runs need all of them. */
const pruneOldVersions = async (tx: Sql, workspaceId: string, workflowId: string): Promise<void> => {
  const { left, removed } = await pruneVersions(tx, { workspaceId, workflowId, max: maxVersions - 1 })
  if (left < maxVersions || removed > 0) return
  throw new DomainError(
    'unprocessable',
    `A workflow can have ${maxVersions} versions, and active runs use all of them. Wait until runs of old versions end or stop them, then publish again.`,
  )
}

/** Maximum number of versions of a workflow. */
const maxVersions = 200

const EventTypeShape = TypeCompiler.Compile(EventType)

/** Returns the event type of a draft, or null if it has no valid one. */
const eventTypeOf = ({ trigger }: Draft): string | null => {
  const { eventType } = trigger as { eventType?: unknown }
  return EventTypeShape.Check(eventType) ? eventType : null
}

/**
 * Throws 422 if a template of the published version is missing or needs another value. It may have changed while the
 * workflow was disabled.
 */
const requireTemplates = async ({ sql, caller }: Ctx, id: string): Promise<void> => {
  const { publishedVersion } = (await findWorkflow(sql, caller.workspaceId, id)) ?? {}
  const published =
    publishedVersion && (await findDefinition(sql, { ...caller, workflowId: id, version: publishedVersion }))
  if (!published) return
  const details = Object.fromEntries(await missingTemplates(sql, caller.workspaceId, referencesOf(published)))
  if (Object.keys(details).length === 0) return
  const message = 'The published version uses templates that are removed or lack a value. Correct and publish it first.'
  throw new DomainError('unprocessable', message, details)
}

const missingTemplates = async (
  sql: Sql,
  workspaceId: string,
  references: Reference[],
): Promise<[field: string, reason: string][]> => {
  const templateReferences = references.filter(reference => reference.kind === 'template')
  if (templateReferences.length === 0) return []
  const templates = await findTemplates(
    sql,
    workspaceId,
    templateReferences.map(({ id }) => id),
  )
  const byId = new Map(templates.map(template => [template.id, template]))
  return templateReferences.flatMap(({ id, field, variables }): [string, string][] => {
    const template = byId.get(id.toLowerCase())
    if (template && hasAllValues(variables, template)) return []
    return [
      [
        `definition.${field}`,
        template ? 'The template requires a value that is not given.' : 'No such template in this workspace.',
      ],
    ]
  })
}

const shape = (row: Omit<WorkflowRow, 'draft'> & Pick<Workflow, 'draft'>): Workflow => ({
  ...row,
  archivedAt: row.archivedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const shapeListed = ({ draftText, ...row }: ListedWorkflow): Workflow =>
  shape({ ...row, draft: new JsonText(draftText) })
