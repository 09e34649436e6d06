import { type ActionRecord, type AuditAction, type Detail, withAudit } from '../../accounts/audit/index.ts'
import type { Ctx } from '../../core/context.ts'
import { type Details, DomainError, invalidRequest, notFound } from '../../core/errors.ts'
import { isId, newId } from '../../core/ids.ts'
import { type PageOf, toPage, toPageRequest } from '../../core/pagination.ts'
import type { PageQuery } from '../../core/schema.ts'
import { newSigningSecret } from '../../core/secrets.ts'
import { verb } from '../../core/verb.ts'
import { requireVersion } from '../../core/version.ts'
import type { Keyring } from '../../platform/encryption.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { enqueue, wakeBulkReplay, wakeEndpoint } from '../../queue/tasks.ts'
import { faultsOfFilter } from './filter.ts'
import { encryptHeaders, faultsOfHeaders } from './headers.ts'
import { resetFailures, restartFailurePeriod } from './health-sql.ts'
import type { ChangeWebhook, CreateWebhook, Webhook, WebhookWithSecret } from './schema.ts'
import { toStoredSecret } from './secrets.ts'
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
  type WebhookPatch,
  type WebhookRow,
} from './sql.ts'
import { validateWebhookUrl } from './url.ts'

/** Maximum number of endpoints per workspace (contract 11.1). */
const maxPerWorkspace = 10
/** Hours for which a rotated secret also signs (contract 13.3). */
const overlapHours = 24

/** Settings that the verbs need. */
export interface WebhookSettings {
  allowedPrivateTargets: ReadonlySet<string>
  /** Keyring for secrets and headers, or null if there is no key. */
  keyring: Keyring | null
}

/** Creates an endpoint. Only this response contains its secret. */
export const createWebhook = verb(
  { by: 'owner', feature: 'webhooks' },
  async (ctx, settings: WebhookSettings, input: CreateWebhook): Promise<WebhookWithSecret> => {
    const url = validateUrl(input.url, settings)
    const secret = newSigningSecret()
    const { workspaceId } = ctx.caller
    const id = newId()
    const endpoint = { workspaceId, webhookId: id }
    const patch = toPatch(input, settings, endpoint)
    const stored = await toStoredSecret(ctx.sql, settings.keyring, secret, endpoint)
    const insert = async ({ sql }: Ctx) => {
      if ((await lockAndCountWebhooks(sql, workspaceId)) >= maxPerWorkspace) {
        throw new DomainError(
          'unprocessable',
          `A workspace has at most ${maxPerWorkspace} webhook endpoints. Remove one first.`,
        )
      }
      const { events, enabled = true } = input
      return insertWebhook(sql, { workspaceId, id, url, events, enabled, secret: stored, ...patch })
    }
    const row = await withAudit(ctx, insert, created =>
      auditEntry('createWebhook', created, { events: created.events, enabled: input.enabled }),
    )
    return { ...shape(row), secret }
  },
)

export const listWebhooks = verb(
  { by: 'member' },
  async ({ sql, caller }, query: PageQuery): Promise<PageOf<Webhook>> => {
    const page = toPageRequest(query)
    return toPage(await selectWebhooks(sql, caller.workspaceId, page), page, shape)
  },
)

export const readWebhook = verb(
  { by: 'member' },
  async ({ sql, caller }, id: string): Promise<Webhook> =>
    shape(requireWebhook(isId(id) ? await findWebhook(sql, caller.workspaceId, id) : null)),
)

/** Changes the given fields. When an endpoint is enabled again, it receives its pending deliveries. */
export const changeWebhook = verb(
  { by: 'owner', feature: 'webhooks' },
  async (ctx, settings: WebhookSettings, id: string, input: ChangeWebhook): Promise<Webhook> => {
    const url = input.url === undefined ? undefined : validateUrl(input.url, settings)
    const { workspaceId } = ctx.caller
    if (!isId(id)) throw notFound('webhook endpoint')
    const patch = toPatch(input, settings, { workspaceId, webhookId: id })
    const change = async ({ sql }: Ctx) => {
      await requireCurrentVersion(ctx, sql, id)
      const updated = await updateWebhook(sql, {
        workspaceId,
        id,
        url,
        events: input.events,
        enabled: input.enabled,
        ...patch,
      })
      if (!updated) return null
      const { begins, hasNewUrl, ...changed } = updated
      // Only real changes reset the five days of failure. Tools that apply the same settings every day must not.
      if (hasNewUrl) await resetFailures(sql, workspaceId, id)
      else if (begins) await restartFailurePeriod(sql, workspaceId, id)
      if (input.enabled) await wakeEndpointWork(sql, workspaceId, id)
      return changed
    }
    const { events, enabled } = input
    const row = await withAudit(ctx, change, changed =>
      changed?.differs ? auditEntry('changeWebhook', changed, { changed: Object.keys(input), events, enabled }) : null,
    )
    return shape(requireWebhook(row))
  },
)

/** Holds the endpoint. Its deliveries wait and none is dropped. Attempts in progress run to completion. */
export const holdWebhook = verb({ by: 'owner' }, async (ctx, id: string): Promise<Webhook> => {
  const hold = async ({ sql, caller }: Ctx) => {
    if (!isId(id)) return null
    await requireCurrentVersion(ctx, sql, id)
    return markHeld(sql, caller.workspaceId, id)
  }
  const row = await withAudit(ctx, hold, held => held && auditEntry('holdWebhook', held))
  return row ? shape(row) : readWebhook(ctx, id)
})

/**
 * Releases the endpoint and sends its waiting deliveries, oldest first. The period of failure before an automatic hold
 * starts again.
 */
export const releaseWebhook = verb({ by: 'owner', feature: 'webhooks' }, async (ctx, id: string): Promise<Webhook> => {
  const release = async ({ sql, caller: { workspaceId } }: Ctx) => {
    if (!isId(id)) return null
    await requireCurrentVersion(ctx, sql, id)
    const row = await markReleased(sql, workspaceId, id)
    if (!row) return null
    await restartFailurePeriod(sql, workspaceId, id)
    await wakeEndpointWork(sql, workspaceId, id)
    return row
  }
  const row = await withAudit(ctx, release, released => released && auditEntry('releaseWebhook', released))
  return row ? shape(row) : readWebhook(ctx, id)
})

/** Resumes its deliveries and its bulk replay. */
const wakeEndpointWork = async (sql: Sql, workspaceId: string, id: string): Promise<void> => {
  await wakeEndpoint(sql, workspaceId, id)
  await wakeBulkReplay(sql, workspaceId, id)
}

/** Replaces the secret. For 24 hours deliveries are signed with both secrets. */
export const rotateWebhookSecret = verb(
  { by: 'owner', feature: 'webhooks' },
  async (ctx, { keyring }: WebhookSettings, id: string): Promise<WebhookWithSecret> => {
    const secret = newSigningSecret()
    const { workspaceId } = ctx.caller
    if (!isId(id)) throw notFound('webhook endpoint')
    const stored = await toStoredSecret(ctx.sql, keyring, secret, { workspaceId, webhookId: id })
    const rotate = async ({ sql }: Ctx) => {
      await requireCurrentVersion(ctx, sql, id)
      return requireWebhook(await rotateSecret(sql, { workspaceId, id, secret: stored, overlapHours }))
    }
    const row = await withAudit(ctx, rotate, rotated => auditEntry('rotateWebhookSecret', rotated))
    return { ...shape(row), secret }
  },
)

/** Deletes the endpoint. A task drops its pending deliveries, because there can be many. */
export const deleteWebhook = verb({ by: 'owner' }, async (ctx, id: string): Promise<void> => {
  const { workspaceId } = ctx.caller
  const remove = async ({ sql }: Ctx) => {
    if (isId(id)) await requireCurrentVersion(ctx, sql, id)
    const row = requireWebhook(isId(id) ? await findWebhook(sql, workspaceId, id) : null)
    if (!(await markWebhookDeleted(sql, workspaceId, id))) throw notFound('webhook endpoint')
    await enqueue(sql, 'drop_deliveries', { workspaceId, webhookId: id }, `drop:${id}`)
    return row
  }
  await withAudit(ctx, remove, removed => auditEntry('deleteWebhook', removed))
})

/** Throws a 409 if the caller expects another version of the endpoint. The endpoint stays locked. */
const requireCurrentVersion = async (ctx: Ctx, tx: Ctx['sql'], id: string): Promise<void> => {
  const row = ctx.ifMatch && (await lockWebhook(tx, ctx.caller.workspaceId, id))
  if (row) requireVersion(ctx, row)
}

/** Logs only the host, because the rest of a URL may contain a secret. */
const auditEntry = (action: AuditAction, { id, url }: WebhookRow, detail: Detail = {}): ActionRecord => ({
  action,
  target: { type: 'webhook', id },
  detail: { host: new URL(url).host, ...detail },
})

/** Validates the optional settings and returns them as stored. Throws a 400 if any is invalid. */
const toPatch = (
  { name, description, metadata, headers, ratePerSecond, maxConcurrency, filter }: CreateWebhook | ChangeWebhook,
  { keyring }: WebhookSettings,
  endpoint: { workspaceId: string; webhookId: string },
): WebhookPatch => {
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
    headers: headers && encryptHeaders(keyring, headers, endpoint),
  }
}

const maxMetadataName = 40

const faultsOfMetadata = (metadata: Record<string, string>): Details =>
  Object.fromEntries(
    Object.keys(metadata)
      .filter(name => name === '' || name.length > maxMetadataName)
      .map(name => [
        `metadata.${name.slice(0, maxMetadataName)}`,
        `Names must have 1 to ${maxMetadataName} characters.`,
      ]),
  )

const validateUrl = (raw: string, { allowedPrivateTargets }: WebhookSettings): string => {
  const result = validateWebhookUrl(raw, allowedPrivateTargets)
  if (!result.ok) throw invalidRequest({ url: result.reason })
  return result.url
}

const requireWebhook = (row: WebhookRow | null): WebhookRow => {
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
