import type { AuditAction, Deed, Detail } from '../audit/index.ts'
import { audited } from '../audited.ts'
import { providers } from '../channels/index.ts'
import type { Compared } from '../compared.ts'
import type { Ctx } from '../context.ts'
import { DomainError, invalidRequest, notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { JsonText } from '../json-text.ts'
import { lockWorkspace } from '../locks.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import type { PageQuery } from '../schema.ts'
import { noteChanges } from '../stream/index.ts'
import { wakeCampaign } from '../tasks.ts'
import { findTemplates } from '../templates/index.ts'
import { verb } from '../verb.ts'
import { requireVersion } from '../version.ts'
import { checkAudience, checkProvider, checkVariables } from './audience.ts'
import { previewOf } from './preview.ts'
import type {
  Audience,
  Campaign,
  CampaignPreview,
  CampaignStatus,
  ChangeCampaign,
  CreateCampaign,
  Recipient,
  RecipientQuery,
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
  moveCampaign,
  type RecipientRow,
  selectCampaigns,
  selectRecipients,
  startCampaignAt,
  updateCampaign,
} from './sql.ts'

const byOwner = { by: 'owner', feature: 'campaigns' } as const

/** Maximum number of campaigns of a workspace that have not ended, and of all. */
const [maxOpen, maxCampaigns] = [500, 10_000]

/**
 * Fails with 422 if `maxOpen` campaigns have not ended. At `maxCampaigns`, removes the oldest ended campaign.
 * `emptyOldest` has already removed its recipients.
 */
const makeRoom = async (tx: Ctx['sql'], workspaceId: string): Promise<void> => {
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

/** Removes the recipients of the oldest ended campaign in pages, if that campaign must be removed. */
const emptyOldest = async (sql: Ctx['sql'], workspaceId: string, signal: AbortSignal): Promise<void> => {
  const oldest = await findOldestEnded(sql, workspaceId, maxCampaigns - 1)
  if (oldest === null) return
  while ((await deleteRecipients(sql, workspaceId, oldest)) > 0) signal.throwIfAborted()
}

/** Creates a campaign as a draft. It does nothing until it is started. */
export const createCampaign = verb(
  byOwner,
  async (ctx, input: CreateCampaign, signal: AbortSignal): Promise<Campaign> => {
    const { workspaceId } = ctx.caller
    const content = { ...input, variables: input.variables ?? {} }
    await checkCustomers(ctx, content.audience)
    await checkContent(ctx, content)
    await emptyOldest(ctx.sql, workspaceId, signal)
    const insert = async ({ sql }: Ctx) => {
      await makeRoom(sql, workspaceId)
      return insertCampaign(sql, { workspaceId, ...content })
    }
    const row = await audited(ctx, insert, created => deedOn('createCampaign', created))
    return shape(row)
  },
)

export const listCampaigns = verb(
  { by: 'member' },
  async ({ sql, caller }, query: PageQuery): Promise<PageOf<Campaign>> => {
    const page = pageRequest(query)
    return pageOf(await selectCampaigns(sql, caller.workspaceId, page), page.limit, shape)
  },
)

export const readCampaign = verb(
  { by: 'member' },
  async ({ sql, caller }, id: string): Promise<Campaign> =>
    shape(existing(isId(id) ? await findCampaign(sql, caller.workspaceId, id) : null)),
)

/** Changes a campaign that has not started. The resulting content is validated as a whole. */
export const changeCampaign = verb(byOwner, async (ctx, id: string, change: ChangeCampaign): Promise<Campaign> => {
  if (change.audience) await checkCustomers(ctx, change.audience)
  const update = async (inner: Ctx) => {
    const campaign = await locked(inner, id, ['draft', 'scheduled'], 'changed')
    requireVersion(inner, campaign)
    const { channelId, templateId, variablesText } = campaign
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
  const deedOf = (changed: CampaignRow & Compared) =>
    changed.differs ? deedOn('changeCampaign', changed, detail) : null
  const changed = await audited(ctx, update, deedOf)
  noteChanges(ctx.sql, 'campaign', [{ workspaceId: ctx.caller.workspaceId, id }])
  return shape(changed)
})

/** Deletes a campaign that has not started. */
export const deleteCampaign = verb({ by: 'owner' }, async (ctx, id: string): Promise<void> => {
  const remove = async (inner: Ctx) => {
    const row = await locked(inner, id, ['draft', 'scheduled'], 'removed')
    requireVersion(inner, row)
    await deleteRow(inner.sql, inner.caller.workspaceId, id)
    return row
  }
  await audited(ctx, remove, removed => deedOn('deleteCampaign', removed))
})

/** Returns the current audience of a campaign and sample texts. */
export const previewCampaign = verb(byOwner, async (ctx, id: string): Promise<CampaignPreview> => {
  const { sql, caller } = ctx
  const { workspaceId } = caller
  const row = existing(isId(id) ? await findCampaign(sql, workspaceId, id) : null)
  const { channelId, templateId, variablesText, audienceText } = row
  const channel = await findChannelOf(sql, workspaceId, channelId)
  return previewOf(sql, {
    workspaceId,
    channelId,
    templateId,
    variables: JSON.parse(variablesText),
    audience: JSON.parse(audienceText) as Audience,
    connected: channel?.connected ?? false,
  })
})

/**
 * Starts a campaign now or at a given time. Its audience is computed when it begins. Locks the workspace, as deleting a
 * template does, so that the second of the two sees the changes of the first.
 */
export const startCampaign = verb(byOwner, async (ctx, id: string, { at }: StartCampaign): Promise<Campaign> => {
  const start = async (inner: Ctx) => {
    const { sql, caller } = inner
    const { workspaceId } = caller
    const { channelId, templateId, variablesText } = await locked(inner, id, ['draft', 'scheduled'], 'started')
    await lockWorkspace(sql, workspaceId)
    await stillFits(() => checkContent(inner, { channelId, templateId, variables: JSON.parse(variablesText) }))
    const started = await startCampaignAt(sql, { workspaceId, id, at: at ?? null })
    await wakeCampaign(sql, workspaceId, id, started.dueInMs)
    return started
  }
  const changed = await audited(ctx, start, started => deedOn('startCampaign', started, { at }))
  noteChanges(ctx.sql, 'campaign', [{ workspaceId: ctx.caller.workspaceId, id }])
  return shape(changed)
})

/** Pauses a campaign. Nothing more is queued; messages already queued on the channel are still sent. */
export const pauseCampaign = verb(
  byOwner,
  (ctx, id: string): Promise<Campaign> => move(ctx, id, 'pauseCampaign', ['running'], 'paused', 'paused'),
)

export const resumeCampaign = verb(
  byOwner,
  (ctx, id: string): Promise<Campaign> => move(ctx, id, 'resumeCampaign', ['paused'], 'running', 'resumed'),
)

/**
 * Cancels a campaign; recipients who have not been messaged are skipped. Requires no plan feature, so that a running
 * campaign can always be stopped.
 */
export const cancelCampaign = verb(
  { by: 'owner' },
  (ctx, id: string): Promise<Campaign> =>
    move(ctx, id, 'cancelCampaign', ['scheduled', 'running', 'paused'], 'cancelled', 'cancelled'),
)

export const listCampaignRecipients = verb(
  { by: 'member' },
  async ({ sql, caller }, id: string, query: RecipientQuery): Promise<PageOf<Recipient>> => {
    const { workspaceId } = caller
    existing(isId(id) ? await findCampaign(sql, workspaceId, id) : null)
    const page = pageRequest(query)
    const rows = await selectRecipients(sql, { workspaceId, campaignId: id, outcome: query.outcome ?? null }, page)
    return pageOf(rows, page.limit, shapeRecipient)
  },
)

const move = async (
  ctx: Ctx,
  id: string,
  action: AuditAction,
  from: readonly CampaignStatus[],
  to: CampaignStatus,
  what: string,
): Promise<Campaign> => {
  const moveRow = async (inner: Ctx) => {
    const { sql, caller } = inner
    await locked(inner, id, from, what)
    const moved = await moveCampaign(sql, { workspaceId: caller.workspaceId, id, from, to })
    await wakeCampaign(sql, caller.workspaceId, id)
    return existing(moved)
  }
  const changed = await audited(ctx, moveRow, moved => deedOn(action, moved))
  noteChanges(ctx.sql, 'campaign', [{ workspaceId: ctx.caller.workspaceId, id }])
  return shape(changed)
}

const deedOn = (action: AuditAction, { id, name }: CampaignRow, detail: Detail = {}): Deed => ({
  action,
  target: { type: 'campaign', id },
  detail: { name, ...detail },
})

/** Returns the campaign, locked. Fails with 422 if its status is not one of `statuses`. */
const locked = async (
  { sql, caller }: Ctx,
  id: string,
  statuses: readonly CampaignStatus[],
  what: string,
): Promise<CampaignRow> => {
  const row = existing(isId(id) ? await lockCampaign(sql, caller.workspaceId, id) : null)
  if (statuses.includes(row.status)) return row
  throw new DomainError(
    'unprocessable',
    `The campaign is ${row.status}; only one that is ${statuses.join(' or ')} can be ${what}.`,
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
    Object.fromEntries(unknown.map(place => [`audience.customerIds.${place}`, 'No such customer in this workspace.'])),
  )
}

/**
 * Turns a validation error into 422: the stored content was valid when it was saved, so the request is not malformed.
 */
const stillFits = async (check: () => Promise<void>): Promise<void> => {
  try {
    await check()
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid_request') throw error
    const message = 'The campaign does not fit its template or its channel any more. Change it first.'
    throw new DomainError('unprocessable', `${message} ${error.message}`, error.details)
  }
}

/** Rejects an unsuitable channel or template, and values that do not match the template. */
const checkContent = async (
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
      `The channel ${JSON.stringify(channel.name)} is disconnected. Choose one that is connected.`,
      { channelId: 'Is disconnected; choose a channel that is connected.' },
    )
  }
  checkProvider(template, providers[channel.kind]?.capabilities.templates ?? false)
}

const existing = (row: CampaignRow | null): CampaignRow => {
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

const shapeRecipient = ({ id, at, ...row }: RecipientRow): Recipient => ({
  customerId: id,
  ...row,
  at: at.toISOString(),
})
