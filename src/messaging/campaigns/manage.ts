import { type ActionRecord, type AuditAction, type Detail, withAudit } from '../../accounts/audit/index.ts'
import type { DiffersColumn } from '../../core/changed-fields.ts'
import { recordChanges } from '../../core/changes/index.ts'
import type { Ctx } from '../../core/context.ts'
import { DomainError, invalidRequest, notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { lockWorkspace } from '../../core/locks.ts'
import { type PageOf, toPage, toPageRequest } from '../../core/pagination.ts'
import { removeOld } from '../../core/retention.ts'
import { verb } from '../../core/verb.ts'
import { requireVersion } from '../../core/version.ts'
import { JsonText } from '../../platform/json-text.ts'
import { wakeCampaign } from '../../queue/tasks.ts'
import { providers } from '../channels/index.ts'
import { findTemplates } from '../templates/index.ts'
import { checkAudience, checkProvider, checkVariables } from './audience.ts'
import { buildPreview } from './preview.ts'
import type {
  Audience,
  Campaign,
  CampaignPreview,
  CampaignQuery,
  CampaignStatus,
  ChangeCampaign,
  CreateCampaign,
  PreviewAudience,
  StartCampaign,
} from './schema.ts'
import {
  type CampaignRow,
  deleteEnded,
  deleteRecipients,
  deleteCampaign as deleteRow,
  findCampaign,
  findChannelOf,
  findOldestEnded,
  findUnknownCustomers,
  insertCampaign,
  lockAndCountCampaigns,
  lockCampaign,
  selectCampaigns,
  startCampaignAt,
  updateCampaign,
  updateCampaignStatus,
} from './sql.ts'

export const byOwner = { by: 'owner', feature: 'campaigns' } as const

/** Maximum number of campaigns of a workspace that have not ended, and of all. */
const [maxOpen, maxCampaigns] = [500, 10_000]

/**
 * Fails with 422 if `maxOpen` campaigns have not ended. At `maxCampaigns`, removes the oldest ended campaign.
 * `deleteOldestRecipients` has already removed its recipients.
 */
const enforceLimits = async (tx: Ctx['sql'], workspaceId: string): Promise<void> => {
  const { open, all } = await lockAndCountCampaigns(tx, workspaceId)
  if (open >= maxOpen)
    throw new DomainError(
      'unprocessable',
      `A workspace has at most ${maxOpen} campaigns that have not ended. Remove a draft, or wait until one ends.`,
    )
  if (all < maxCampaigns) return
  const oldest = await findOldestEnded(tx, workspaceId)
  if (oldest === null || !(await deleteEnded(tx, workspaceId, oldest)))
    throw new DomainError('conflict', 'Other calls are creating campaigns. Try again.')
}

/** Maximum number of recipients that one statement removes. */
const recipientsPerPage = 5000

/** Removes the recipients of the oldest ended campaign in pages, if that campaign must be removed. */
const deleteOldestRecipients = async (sql: Ctx['sql'], workspaceId: string, signal: AbortSignal): Promise<void> => {
  const oldest = await findOldestEnded(sql, workspaceId, maxCampaigns - 1)
  if (oldest === null) return
  await removeOld(limit => deleteRecipients(sql, workspaceId, oldest, limit), { limit: recipientsPerPage, signal })
}

/** Creates a campaign as a draft. It does nothing until it is started. */
export const createCampaign = verb(
  byOwner,
  async (ctx, input: CreateCampaign, signal: AbortSignal): Promise<Campaign> => {
    const { workspaceId } = ctx.caller
    const content = { ...input, variables: input.variables ?? {} }
    await checkCustomers(ctx, content.audience)
    await checkContent(ctx, content)
    await deleteOldestRecipients(ctx.sql, workspaceId, signal)
    const insert = async ({ sql }: Ctx) => {
      await enforceLimits(sql, workspaceId)
      return insertCampaign(sql, { workspaceId, ...content })
    }
    const row = await withAudit(ctx, insert, created => auditEntry('createCampaign', created))
    return shape(row)
  },
)

export const listCampaigns = verb(
  { by: 'member' },
  async ({ sql, caller }, query: CampaignQuery): Promise<PageOf<Campaign>> => {
    const page = toPageRequest(query)
    const { q, status = null } = query
    const filter = { workspaceId: caller.workspaceId, text: q?.trim() || null, status }
    return toPage(await selectCampaigns(sql, filter, page), page, shape)
  },
)

export const readCampaign = verb(
  { by: 'member' },
  async ({ sql, caller }, id: string): Promise<Campaign> =>
    shape(requireCampaign(isId(id) ? await findCampaign(sql, caller.workspaceId, id) : null)),
)

/** Changes a campaign that has not started. The resulting content is validated as a whole. */
export const changeCampaign = verb(byOwner, async (ctx, id: string, change: ChangeCampaign): Promise<Campaign> => {
  if (change.audience) await checkCustomers(ctx, change.audience)
  const update = async (inner: Ctx) => {
    const { channelId, templateId, variablesText } = await lockInStatus(inner, id, ['draft', 'scheduled'], 'changed')
    await lockWorkspace(inner.sql, inner.caller.workspaceId)
    await checkContent(inner, {
      channelId: change.channelId ?? channelId,
      templateId: change.templateId ?? templateId,
      variables: change.variables ?? JSON.parse(variablesText),
    })
    return updateCampaign(inner.sql, {
      workspaceId: inner.caller.workspaceId,
      id,
      name: change.name ?? null,
      channelId: change.channelId ?? null,
      templateId: change.templateId ?? null,
      variables: change.variables ?? null,
      audience: change.audience ?? null,
    })
  }
  const detail = { changed: Object.keys(change) }
  const auditChange = (changed: CampaignRow & DiffersColumn) =>
    changed.differs ? auditEntry('changeCampaign', changed, detail) : null
  const changed = await withAudit(ctx, update, auditChange)
  recordChanges(ctx.sql, 'campaign', [{ workspaceId: ctx.caller.workspaceId, id }])
  return shape(changed)
})

/** Deletes a campaign that has not started. */
export const deleteCampaign = verb({ by: 'owner' }, async (ctx, id: string): Promise<void> => {
  const remove = async (inner: Ctx) => {
    const row = await lockInStatus(inner, id, ['draft', 'scheduled'], 'removed')
    await deleteRow(inner.sql, inner.caller.workspaceId, id)
    return row
  }
  await withAudit(ctx, remove, removed => auditEntry('deleteCampaign', removed))
})

/** Maximum number of customers that a preview reads, of a saved campaign and of one that is being written. */
const [maxEvaluated, maxEvaluatedUnsaved] = [200_000, 10_000]

/** Returns the current audience of a campaign and sample texts. */
export const previewCampaign = verb(byOwner, async (ctx, id: string, signal: AbortSignal): Promise<CampaignPreview> => {
  const { sql, caller } = ctx
  const { workspaceId } = caller
  const row = requireCampaign(isId(id) ? await findCampaign(sql, workspaceId, id) : null)
  const { channelId, templateId, variablesText, audienceText } = row
  const channel = await findChannelOf(sql, workspaceId, channelId)
  const input = {
    workspaceId,
    channelId,
    templateId,
    variables: JSON.parse(variablesText),
    audience: JSON.parse(audienceText) as Audience,
    connected: channel?.connected ?? false,
    maxEvaluated,
  }
  return buildPreview(sql, input, signal)
})

/** Returns the audience of a campaign that is not saved. Variables without a value have the sample of the template. */
export const previewAudience = verb(
  byOwner,
  async (ctx, input: PreviewAudience, signal: AbortSignal): Promise<CampaignPreview> => {
    const { sql, caller } = ctx
    const { channelId, templateId, audience } = input
    await checkCustomers(ctx, audience)
    const [template] = await findTemplates(sql, caller.workspaceId, [templateId])
    const samples = Object.fromEntries((template?.variables ?? []).map(({ name, sample }) => [name, sample]))
    const content = { channelId, templateId, variables: { ...samples, ...input.variables } }
    await checkContent(ctx, content)
    const { workspaceId } = caller
    const preview = { workspaceId, ...content, audience, connected: true, maxEvaluated: maxEvaluatedUnsaved }
    return buildPreview(sql, preview, signal)
  },
)

/**
 * Starts a campaign now or at a given time. Its audience is computed when it begins. Locks the workspace, as deleting a
 * template does, so that the second of the two sees the changes of the first.
 */
export const startCampaign = verb(byOwner, async (ctx, id: string, { at }: StartCampaign): Promise<Campaign> => {
  const start = async (inner: Ctx) => {
    const { sql, caller } = inner
    const { workspaceId } = caller
    const { channelId, templateId, variablesText } = await lockInStatus(inner, id, ['draft', 'scheduled'], 'started')
    await lockWorkspace(sql, workspaceId)
    await revalidate(() => checkContent(inner, { channelId, templateId, variables: JSON.parse(variablesText) }))
    const started = await startCampaignAt(sql, { workspaceId, id, at: at ?? null })
    await wakeCampaign(sql, workspaceId, id, started.dueInMs)
    return started
  }
  const changed = await withAudit(ctx, start, started => auditEntry('startCampaign', started, { at }))
  recordChanges(ctx.sql, 'campaign', [{ workspaceId: ctx.caller.workspaceId, id }])
  return shape(changed)
})

/** Pauses a campaign. Nothing more is queued; messages already queued on the channel are still sent. */
export const pauseCampaign = verb(
  byOwner,
  (ctx, id: string): Promise<Campaign> => changeStatus(ctx, id, 'pauseCampaign', ['running'], 'paused', 'paused'),
)

export const resumeCampaign = verb(
  byOwner,
  (ctx, id: string): Promise<Campaign> => changeStatus(ctx, id, 'resumeCampaign', ['paused'], 'running', 'resumed'),
)

/**
 * Cancels a campaign; recipients who have not been messaged are skipped. Requires no plan feature, so that a running
 * campaign can always be stopped.
 */
export const cancelCampaign = verb(
  { by: 'owner' },
  (ctx, id: string): Promise<Campaign> =>
    changeStatus(ctx, id, 'cancelCampaign', ['scheduled', 'running', 'paused'], 'cancelled', 'cancelled'),
)

const changeStatus = async (
  ctx: Ctx,
  id: string,
  action: AuditAction,
  from: readonly CampaignStatus[],
  to: CampaignStatus,
  participle: string,
): Promise<Campaign> => {
  const updateRow = async (inner: Ctx) => {
    const { sql, caller } = inner
    await lockInStatus(inner, id, from, participle)
    const updated = await updateCampaignStatus(sql, { workspaceId: caller.workspaceId, id, from, to })
    await wakeCampaign(sql, caller.workspaceId, id)
    return requireCampaign(updated)
  }
  const changed = await withAudit(ctx, updateRow, updated => auditEntry(action, updated))
  recordChanges(ctx.sql, 'campaign', [{ workspaceId: ctx.caller.workspaceId, id }])
  return shape(changed)
}

export const auditEntry = (action: AuditAction, { id, name }: CampaignRow, detail: Detail = {}): ActionRecord => ({
  action,
  target: { type: 'campaign', id },
  detail: { name, ...detail },
})

/**
 * Returns the campaign, locked. Fails with 409 if the caller expects another version, and with 422 if its status is not
 * one of `statuses`.
 */
export const lockInStatus = async (
  ctx: Ctx,
  id: string,
  statuses: readonly CampaignStatus[],
  participle: string,
): Promise<CampaignRow> => {
  const row = requireCampaign(isId(id) ? await lockCampaign(ctx.sql, ctx.caller.workspaceId, id) : null)
  requireVersion(ctx, row)
  if (statuses.includes(row.status)) return row
  throw new DomainError(
    'unprocessable',
    `The campaign is ${row.status}. Only a campaign that is ${statuses.join(' or ')} can be ${participle}.`,
    { status: row.status },
  )
}

const maxDetails = 20

/** Rejects invalid conditions and customers that are not in the workspace. */
const checkCustomers = async ({ sql, caller }: Ctx, audience: Audience): Promise<void> => {
  checkAudience(audience)
  if (!('customerIds' in audience)) return
  const unknown = await findUnknownCustomers(sql, caller.workspaceId, audience.customerIds, maxDetails)
  if (unknown.length === 0) return
  throw invalidRequest(
    Object.fromEntries(unknown.map(index => [`audience.customerIds.${index}`, 'No such customer in this workspace.'])),
  )
}

/**
 * Turns a validation error into 422: the stored content was valid when it was saved, so the request is not malformed.
 */
export const revalidate = async (check: () => Promise<void>): Promise<void> => {
  try {
    await check()
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid_request') throw error
    const message = 'The campaign no longer matches its template or its channel. Change it first.'
    throw new DomainError('unprocessable', `${message} ${error.message}`, error.details)
  }
}

/** Rejects an unsuitable channel or template, and values that do not match the template. */
export const checkContent = async (
  { sql, caller }: Ctx,
  { channelId, templateId, variables }: { channelId: string; templateId: string; variables: Record<string, string> },
): Promise<void> => {
  const channel = await findChannelOf(sql, caller.workspaceId, channelId)
  const [template] = await findTemplates(sql, caller.workspaceId, [templateId])
  if (!channel || !template) {
    throw invalidRequest({
      ...(!channel && { channelId: 'No such channel in this workspace.' }),
      ...(!template && { templateId: 'No such template in this workspace.' }),
    })
  }
  checkVariables(template, variables)
  if (!channel.connected) {
    throw new DomainError(
      'unprocessable',
      `The channel ${JSON.stringify(channel.name)} is disconnected. Choose a connected channel.`,
      { channelId: 'Is disconnected. Choose a connected channel.' },
    )
  }
  checkProvider(template, providers[channel.kind]?.capabilities.templates ?? false)
}

const requireCampaign = (row: CampaignRow | null): CampaignRow => {
  if (!row) throw notFound('campaign')
  return row
}

const shape = (row: CampaignRow): Campaign => ({
  id: row.id,
  name: row.name,
  channelId: row.channelId,
  templateId: row.templateId,
  variables: new JsonText(row.variablesText),
  audience: new JsonText(row.audienceText),
  status: row.status,
  progress: {
    audience: row.recipients,
    sent: row.sent,
    skipped: row.skipped,
    unknown: row.unknown,
    skippedBy: row.skippedBy,
  },
  scheduledAt: row.scheduledAt?.toISOString() ?? null,
  startedAt: row.startedAt?.toISOString() ?? null,
  finishedAt: row.finishedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})
