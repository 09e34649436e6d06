/** Sends the message of a campaign that has not started to one customer. */
import { withAudit } from '../../accounts/audit/index.ts'
import type { Ctx } from '../../core/context.ts'
import { DomainError, invalidRequest } from '../../core/errors.ts'
import { lockWorkspace } from '../../core/locks.ts'
import { verb } from '../../core/verb.ts'
import { smallestId } from '../../platform/postgres/ids.ts'
import {
  enqueueMessage,
  findMessage,
  lockConversationOf,
  type Message,
  notifyQueued,
  shapeOfMessage,
} from '../messages/index.ts'
import { findTemplates } from '../templates/index.ts'
import { auditEntry, byOwner, checkContent, lockInStatus, revalidate } from './manage.ts'
import { readNamed } from './people.ts'
import { composeMessage, type SendContext, skipReason } from './recipient.ts'
import type { TestCampaign } from './schema.ts'

/**
 * Queues the message of a campaign for one customer, by the rules of a recipient. It is a message of the caller: a
 * campaign counts and finds its recipients by their messages.
 */
export const testCampaign = verb(byOwner, async (ctx, id: string, { customerId }: TestCampaign): Promise<Message> => {
  const askedAt = performance.now()
  const send = (inner: Ctx) => queueTest(inner, id, customerId)
  const { message } = await withAudit(ctx, send, ({ campaign }) => auditEntry('testCampaign', campaign, { customerId }))
  notifyQueued(ctx.sql, [{ workspaceId: ctx.caller.workspaceId, channelId: message.channelId, jobs: [] }], askedAt)
  return shapeOfMessage(message)
})

const queueTest = async (ctx: Ctx, id: string, customerId: string) => {
  const { sql, caller } = ctx
  const { workspaceId } = caller
  const campaign = await lockInStatus(ctx, id, ['draft', 'scheduled'], 'tested')
  const { channelId, templateId } = campaign
  const variables: Record<string, string> = JSON.parse(campaign.variablesText)
  await lockWorkspace(sql, workspaceId)
  await revalidate(() => checkContent(ctx, { channelId, templateId, variables }))
  const page = { workspaceId, channelId, after: smallestId, limit: 1, attributes: true, ids: [customerId] }
  const [person] = (await readNamed(sql, page)).people
  if (!person) throw invalidRequest({ customerId: 'No such customer in this workspace.' })
  const [template] = await findTemplates(sql, workspaceId, [templateId])
  const context: SendContext = { template: template ?? null, variables, connected: true, inPlan: true }
  const message = composeMessage(person, { workspaceId, channelId }, context)
  if (message === null) throw rejected(skipReason(person, context))
  const sentBy = { type: 'user' as const, id: caller.id }
  await lockConversationOf(sql, message)
  const messageId = await enqueueMessage(sql, { ...message, sentBy, writtenBy: null, skipped: null })
  return { campaign, message: (await findMessage(sql, workspaceId, messageId))! }
}

const sentences: Record<string, string> = {
  opted_out: 'The customer has opted out.',
  no_opt_in: 'A marketing template requires an opt-in, and the customer has none.',
  no_address: 'The customer has no address on this channel.',
}

/** Returns the 422 error, with the name of the reason in its details. */
const rejected = (reason: string | null): DomainError =>
  new DomainError('unprocessable', sentences[reason ?? ''] ?? 'The campaign cannot be sent to this customer.', {
    ...(reason && { reason }),
  })
