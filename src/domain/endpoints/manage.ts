import type { Sql } from '../../db/client.ts'
import type { AuditAction, Deed, Detail } from '../audit/index.ts'
import { audited } from '../audited.ts'
import type { Ctx } from '../context.ts'
import { type Details, DomainError, invalidRequest, notFound } from '../errors.ts'
import { isId, newId } from '../ids.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import type { PageQuery } from '../schema.ts'
import type { Seals } from '../sealing.ts'
import { newSecret } from '../secrets.ts'
import { enqueue, wakeEndpoint, wakeRecovery } from '../tasks.ts'
import { verb } from '../verb.ts'
import { requireVersion } from '../version.ts'
import { faultsOfFilter } from './filter.ts'
import { faultsOfHeaders, sealHeaders } from './headers.ts'
import { failAnew, forgetFailing } from './health-sql.ts'
import type { ChangeWebhook, CreateWebhook, Webhook, WebhookWithSecret } from './schema.ts'
import { keptSecret } from './secrets.ts'
import {
  findWebhook,
  insertWebhook,
  lockAndCountWebhooks,
  lockWebhook,
  markHeld,
  markReleased,
  markWebhookDeleted,
  rotateSecret,
  selectWebhooks,
  updateWebhook,
  type WebhookRow,
  type WebhookSaid,
} from './sql.ts'
import { judgeWebhookUrl } from './url.ts'

/** Maximum number of endpoints per workspace (contract 11.1). */
const maxPerWorkspace = 10
/** Hours for which a rotated secret also signs (contract 13.3). */
const overlapHours = 24

/** Settings that the verbs need. */
export interface WebhookSettings {
  allowedPrivateTargets: ReadonlySet<string>
  /** Keyring for secrets and headers, or null if there is no key. */
  seals: Seals | null
}

/** Creates an endpoint. Only this response contains its secret. */
export const createWebhook = verb(
  { by: 'owner', feature: 'webhooks' },
  async (ctx, settings: WebhookSettings, input: CreateWebhook): Promise<WebhookWithSecret> => {
    const url = judgedUrl(input.url, settings)
    const secret = newSecret('whsec_')
    const { workspaceId } = ctx.caller
    const id = newId()
    const of = { workspaceId, webhookId: id }
    const said = saidBy(input, settings, of)
    const kept = await keptSecret(ctx.sql, settings.seals, secret, of)
    const insert = async ({ sql }: Ctx) => {
      if ((await lockAndCountWebhooks(sql, workspaceId)) >= maxPerWorkspace) {
        throw new DomainError(
          'unprocessable',
          `A workspace has at most ${maxPerWorkspace} webhook endpoints. Remove one first.`,
        )
      }
      return insertWebhook(sql, { workspaceId, id, url, events: input.events, secret: kept, ...said })
    }
    const row = await audited(ctx, insert, created => deedOn('createWebhook', created, { events: created.events }))
    return { ...shape(row), secret }
  },
)

export const listWebhooks = verb(
  { by: 'member' },
  async ({ sql, caller }, query: PageQuery): Promise<PageOf<Webhook>> => {
    const page = pageRequest(query)
    return pageOf(await selectWebhooks(sql, caller.workspaceId, page), page.limit, shape)
  },
)

export const readWebhook = verb(
  { by: 'member' },
  async ({ sql, caller }, id: string): Promise<Webhook> =>
    shape(existing(isId(id) ? await findWebhook(sql, caller.workspaceId, id) : null)),
)

/** Changes the given fields. When an endpoint is enabled again, it receives its pending deliveries. */
export const changeWebhook = verb(
  { by: 'owner', feature: 'webhooks' },
  async (ctx, settings: WebhookSettings, id: string, input: ChangeWebhook): Promise<Webhook> => {
    const url = input.url === undefined ? undefined : judgedUrl(input.url, settings)
    const { workspaceId } = ctx.caller
    if (!isId(id)) throw notFound('webhook endpoint')
    const said = saidBy(input, settings, { workspaceId, webhookId: id })
    const change = async ({ sql }: Ctx) => {
      await requireCurrent(ctx, sql, id)
      const updated = await updateWebhook(sql, {
        workspaceId,
        id,
        url,
        events: input.events,
        enabled: input.enabled,
        ...said,
      })
      if (!updated) return null
      const { begins, isElsewhere, ...changed } = updated
      // Only real changes reset the five days of failure. Tools that apply the same settings every day must not.
      if (isElsewhere) await forgetFailing(sql, workspaceId, id)
      else if (begins) await failAnew(sql, workspaceId, id)
      if (input.enabled) await wake(sql, workspaceId, id)
      return changed
    }
    const { events, enabled } = input
    const row = await audited(ctx, change, changed =>
      changed?.differs ? deedOn('changeWebhook', changed, { changed: Object.keys(input), events, enabled }) : null,
    )
    return shape(existing(row))
  },
)

/** Holds the endpoint. Its deliveries wait and none is dropped. Attempts in progress run to completion. */
export const holdWebhook = verb({ by: 'owner' }, async (ctx, id: string): Promise<Webhook> => {
  const hold = async ({ sql, caller }: Ctx) => (isId(id) ? markHeld(sql, caller.workspaceId, id) : null)
  const row = await audited(ctx, hold, held => held && deedOn('holdWebhook', held))
  return row ? shape(row) : readWebhook(ctx, id)
})

/**
 * Releases the endpoint and sends its waiting deliveries, oldest first. The period of failure before an automatic hold
 * starts again.
 */
export const releaseWebhook = verb({ by: 'owner', feature: 'webhooks' }, async (ctx, id: string): Promise<Webhook> => {
  const release = async ({ sql, caller: { workspaceId } }: Ctx) => {
    const row = isId(id) ? await markReleased(sql, workspaceId, id) : null
    if (!row) return null
    await failAnew(sql, workspaceId, id)
    await wake(sql, workspaceId, id)
    return row
  }
  const row = await audited(ctx, release, released => released && deedOn('releaseWebhook', released))
  return row ? shape(row) : readWebhook(ctx, id)
})

/** Resumes its deliveries and its bulk replay. */
const wake = async (sql: Sql, workspaceId: string, id: string): Promise<void> => {
  await wakeEndpoint(sql, workspaceId, id)
  await wakeRecovery(sql, workspaceId, id)
}

/** Replaces the secret. For 24 hours deliveries are signed with both secrets. */
export const rotateWebhookSecret = verb(
  { by: 'owner', feature: 'webhooks' },
  async (ctx, { seals }: WebhookSettings, id: string): Promise<WebhookWithSecret> => {
    const secret = newSecret('whsec_')
    const { workspaceId } = ctx.caller
    if (!isId(id)) throw notFound('webhook endpoint')
    const kept = await keptSecret(ctx.sql, seals, secret, { workspaceId, webhookId: id })
    const row = await audited(
      ctx,
      async ({ sql }) => existing(await rotateSecret(sql, { workspaceId, id, secret: kept, overlapHours })),
      rotated => deedOn('rotateWebhookSecret', rotated),
    )
    return { ...shape(row), secret }
  },
)

/** Deletes the endpoint. A task drops its pending deliveries, because there can be many. */
export const deleteWebhook = verb({ by: 'owner' }, async (ctx, id: string): Promise<void> => {
  const { workspaceId } = ctx.caller
  const remove = async ({ sql }: Ctx) => {
    if (isId(id)) await requireCurrent(ctx, sql, id)
    const row = existing(isId(id) ? await findWebhook(sql, workspaceId, id) : null)
    if (!(await markWebhookDeleted(sql, workspaceId, id))) throw notFound('webhook endpoint')
    await enqueue(sql, 'drop_deliveries', { workspaceId, webhookId: id }, `drop:${id}`)
    return row
  }
  await audited(ctx, remove, removed => deedOn('deleteWebhook', removed))
})

/** Throws a 409 if the caller expects another version of the endpoint. The endpoint stays locked. */
const requireCurrent = async (ctx: Ctx, tx: Ctx['sql'], id: string): Promise<void> => {
  const row = ctx.ifMatch && (await lockWebhook(tx, ctx.caller.workspaceId, id))
  if (row) requireVersion(ctx, row)
}

/** Logs only the host, because the rest of a URL may contain a secret. */
const deedOn = (action: AuditAction, { id, url }: WebhookRow, detail: Detail = {}): Deed => ({
  action,
  target: { type: 'webhook', id },
  detail: { host: new URL(url).host, ...detail },
})

/** Validates the optional settings and returns them as stored. Throws a 400 if any is invalid. */
const saidBy = (
  { name, description, metadata, headers, ratePerSecond, maxConcurrency, filter }: CreateWebhook | ChangeWebhook,
  { seals }: WebhookSettings,
  of: { workspaceId: string; webhookId: string },
): WebhookSaid => {
  const faults = {
    ...faultsOfMetadata(metadata ?? {}),
    ...faultsOfHeaders(headers ?? {}),
    ...(filter ? faultsOfFilter(filter) : {}),
  }
  if (Object.keys(faults).length > 0) throw invalidRequest(faults)
  return {
    name,
    description,
    metadata,
    ratePerSecond,
    maxConcurrency,
    filter,
    headers: headers && sealHeaders(seals, headers, of),
  }
}

const maxMetadataName = 40

const faultsOfMetadata = (metadata: Record<string, string>): Details =>
  Object.fromEntries(
    Object.keys(metadata)
      .filter(name => name === '' || name.length > maxMetadataName)
      .map(name => [`metadata.${name.slice(0, maxMetadataName)}`, `Names have 1 to ${maxMetadataName} characters.`]),
  )

const judgedUrl = (raw: string, { allowedPrivateTargets }: WebhookSettings): string => {
  const judgement = judgeWebhookUrl(raw, allowedPrivateTargets)
  if (!judgement.ok) throw invalidRequest({ url: judgement.reason })
  return judgement.url
}

const existing = (row: WebhookRow | null): WebhookRow => {
  if (!row) throw notFound('webhook endpoint')
  return row
}

const shape = ({ createdAt, updatedAt, heldAt, ...row }: WebhookRow): Webhook => ({
  ...row,
  heldAt: heldAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  created: createdAt.toISOString(),
  updated: updatedAt.toISOString(),
})
