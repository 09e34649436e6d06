import { inTransaction } from '../context.ts'
import { DomainError, invalidRequest, notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import type { PageQuery } from '../schema.ts'
import { newSecret } from '../secrets.ts'
import { enqueue, wakeEndpoint } from '../tasks.ts'
import { verb } from '../verb.ts'
import type { ChangeWebhook, CreateWebhook, Webhook, WebhookWithSecret } from './schema.ts'
import {
  findWebhook,
  insertWebhook,
  lockAndCountWebhooks,
  markWebhookDeleted,
  rotateSecret,
  selectWebhooks,
  updateWebhook,
  type WebhookRow,
} from './sql.ts'
import { judgeWebhookUrl } from './url.ts'

/** Endpoints that one workspace may have (contract 11.1). */
const maxPerWorkspace = 10
/** How long a rotated secret goes on signing beside the new one (contract 13.3). */
const overlapHours = 24

/** What the verbs need to know of the settings. */
export interface WebhookSettings {
  allowedPrivateTargets: ReadonlySet<string>
}

/** Subscribes a new endpoint. Its secret is in this answer and in no other. */
export const createWebhook = verb(
  { by: 'owner', feature: 'webhooks' },
  async (ctx, settings: WebhookSettings, input: CreateWebhook): Promise<WebhookWithSecret> => {
    const url = judgedUrl(input.url, settings)
    const secret = newSecret('whsec_')
    const { workspaceId } = ctx.caller
    const row = await inTransaction(ctx, async ({ sql }) => {
      if ((await lockAndCountWebhooks(sql, workspaceId)) >= maxPerWorkspace) {
        throw new DomainError(
          'unprocessable',
          `A workspace has at most ${maxPerWorkspace} webhook endpoints. Remove one first.`,
        )
      }
      return insertWebhook(sql, {
        workspaceId,
        url,
        description: input.description ?? null,
        events: input.events,
        secret,
      })
    })
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

/** Changes what is given. Switched on again, an endpoint gets what was held for it. */
export const changeWebhook = verb(
  { by: 'owner', feature: 'webhooks' },
  async (ctx, settings: WebhookSettings, id: string, input: ChangeWebhook): Promise<Webhook> => {
    const url = input.url === undefined ? null : judgedUrl(input.url, settings)
    const { workspaceId } = ctx.caller
    const row = await inTransaction(ctx, async ({ sql }) => {
      const changed = isId(id)
        ? await updateWebhook(sql, {
            workspaceId,
            id,
            url,
            description: input.description ?? null,
            clearDescription: input.description === null,
            events: input.events ?? null,
            enabled: input.enabled ?? null,
          })
        : null
      if (changed && input.enabled) await wakeEndpoint(sql, workspaceId, id)
      return changed
    })
    return shape(existing(row))
  },
)

/** A new secret; for 24 hours deliveries are signed with both. */
export const rotateWebhookSecret = verb(
  { by: 'owner', feature: 'webhooks' },
  async ({ sql, caller }, id: string): Promise<WebhookWithSecret> => {
    const secret = newSecret('whsec_')
    const row = isId(id) ? await rotateSecret(sql, { workspaceId: caller.workspaceId, id, secret, overlapHours }) : null
    return { ...shape(existing(row)), secret }
  },
)

/** Removes the endpoint; what was still to be delivered to it is dropped, which a task does: it may be much. */
export const deleteWebhook = verb(
  { by: 'owner' },
  (ctx, id: string): Promise<void> =>
    inTransaction(ctx, async ({ sql, caller }) => {
      if (!isId(id) || !(await markWebhookDeleted(sql, caller.workspaceId, id))) throw notFound('webhook endpoint')
      await enqueue(sql, 'drop_deliveries', { workspaceId: caller.workspaceId, webhookId: id }, `drop:${id}`)
    }),
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

const shape = ({ createdAt, updatedAt, ...row }: WebhookRow): Webhook => ({
  ...row,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  created: createdAt.toISOString(),
  updated: updatedAt.toISOString(),
})
