/** Messages that people send into conversations: replies, templates and resent messages. */

import type { Ctx } from '../../core/context.ts'
import { DomainError, invalidRequest, notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { isBlank, mustBeVisible } from '../../core/texts.ts'
import { verb } from '../../core/verb.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { transaction } from '../../platform/postgres/client.ts'
import { type Capabilities, type ChannelKind, providers } from '../channels/index.ts'
import {
  type ConversationState,
  enqueueMessage,
  findByKey,
  findMessage,
  findMessageTemplate,
  findResent,
  lockConversationState,
  type Message,
  type MessageRow,
  notifyQueued,
  type QueuedTemplate,
  recordResent,
  recordResponse,
  shapeOfMessage,
  wasRemoved,
} from '../messages/index.ts'
import { faultsOfVariables, fillTemplate, findTemplates } from '../templates/index.ts'
import { rejectionReason, sendRejected } from './policy.ts'
import type { WriteMessage } from './schema.ts'

/** The queued message. `isNew` is false if an earlier call has already queued it. */
export interface Written {
  message: Message
  isNew: boolean
}

/**
 * Queues a message in a conversation and wakes its channel immediately. A customer who opted out can only get a plain
 * text, and only in a conversation that the customer opened.
 */
export const writeMessage = verb({ by: 'member' }, async (ctx, id: string, input: WriteMessage): Promise<Written> => {
  if (!isId(id)) throw notFound('conversation')
  const { workspaceId } = ctx.caller
  const { idempotencyKey = null } = input
  return writeToConversation(ctx, id, async tx => {
    const first = idempotencyKey && (await findByKey(tx, { workspaceId, conversationId: id, idempotencyKey }))
    if (first) return { first }
    if (idempotencyKey && (await wasRemoved(tx, { workspaceId, conversationId: id, idempotencyKey })))
      throw messageRemoved()
    return { ...(await composeContent(tx, workspaceId, input)), idempotencyKey }
  })
})

const messageRemoved = (): DomainError =>
  new DomainError(
    'unprocessable',
    'A message with this idempotencyKey was written before and is no longer stored. Use another key for another message.',
  )

/**
 * Queues the text of an undelivered message again, as a new message of the caller. If it was resent before and that
 * message can still arrive or has arrived, returns that message instead.
 */
export const resendMessage = verb({ by: 'member' }, async (ctx, id: string): Promise<Written> => {
  const { workspaceId } = ctx.caller
  const original = isId(id) ? await findMessage(ctx.sql, workspaceId, id) : null
  if (!original) throw notFound('message')
  return writeToConversation(ctx, original.conversationId, async tx => {
    // Read again while the conversation is locked, because the message may have been delivered since.
    const row = await findMessage(tx, workspaceId, id)
    if (row?.direction !== 'outbound' || !undelivered.has(row.status)) throw cannotResend(row?.status)
    const first = await findResent(tx, workspaceId, id)
    if (first && !undelivered.has(first.status)) return { first }
    if (row.text === null)
      throw new DomainError('unprocessable', 'The message no longer has a text. It cannot be sent again.')
    const template = await findMessageTemplate(tx, workspaceId, id)
    return { text: row.text, template, idempotencyKey: null, resendOf: id }
  })
})

const undelivered = new Set(['failed', 'unknown', 'skipped'])

const cannotResend = (status: string | undefined): DomainError =>
  new DomainError(
    'unprocessable',
    `The message is ${status}. Only outbound messages that are failed, unknown or skipped can be sent again.`,
  )

interface Content {
  text: string
  template: QueuedTemplate | null
}

/** `resendOf` is the id of the message to resend. */
type Composed = (Content & { idempotencyKey: string | null; resendOf?: string }) | { first: MessageRow }

/**
 * Composes and queues a message in one transaction that locks the conversation, so that the checked state is still
 * valid.
 */
const writeToConversation = async (
  ctx: Ctx,
  conversationId: string,
  compose: (tx: Sql) => Promise<Composed>,
): Promise<Written> => {
  const { workspaceId, id: userId } = ctx.caller
  const askedAt = performance.now()
  const { row, isNew } = await transaction(ctx.sql, async tx => {
    const conversation = await lockConversationState(tx, workspaceId, conversationId)
    if (!conversation) throw notFound('conversation')
    const composed = await compose(tx)
    if ('first' in composed) return { row: composed.first, isNew: false }
    validateContent(conversation, composed)
    const { customerId, channelId, handle } = conversation
    const { resendOf, ...content } = composed
    const id = await enqueueMessage(tx, {
      workspaceId,
      customerId,
      channelId,
      handle: handle!,
      ...content,
      sentBy: { type: 'user', id: userId },
      writtenBy: null,
      skipped: null,
    })
    const { waitedSeconds } = conversation
    if (waitedSeconds !== null) await recordResponse(tx, { workspaceId, messageId: id, userId, waitedSeconds })
    if (resendOf !== undefined) await recordResent(tx, { workspaceId, id: resendOf, resentAs: id })
    return { row: (await findMessage(tx, workspaceId, id))!, isNew: true }
  })
  if (isNew) notifyQueued(ctx.sql, [{ workspaceId, channelId: row.channelId, jobs: [] }], askedAt)
  return { message: shapeOfMessage(row), isNew }
}

const validateContent = (conversation: ConversationState, { text, template }: Content): void => {
  const capabilities = requireCapabilities(conversation.channelKind)
  const draft = template && { marketing: template.marketing, isApproved: template.provider !== null }
  const reason = rejectionReason(conversation, { template: draft }, capabilities)
  if (reason !== null) throw sendRejected(reason)
  if (isBlank(text)) throw invalidRequest({ [template ? 'variables' : 'text']: mustBeVisible })
  const { maxCharacters } = capabilities
  if ([...text].length > maxCharacters)
    throw invalidRequest({
      [template ? 'variables' : 'text']: `The message has at most ${maxCharacters} characters on this channel.`,
    })
}

/** Fails for kinds of channels that only a newer release knows. A process of that release can send the message. */
const requireCapabilities = (kind: string): Capabilities => {
  const provider = providers[kind as ChannelKind]
  if (provider) return provider.capabilities
  throw new DomainError('unprocessable', 'This process does not know the kind of the channel yet. Try again later.')
}

/** Returns variables that would leave a gap in the text. */
const emptyVariables = (variables: Record<string, string>): [name: string, reason: string][] =>
  Object.entries(variables).flatMap(([name, text]) => (isBlank(text) ? [[name, 'Is empty. Enter a text.']] : []))

const composeContent = async (tx: Sql, workspaceId: string, input: WriteMessage): Promise<Content> => {
  if ('text' in input) return { text: input.text, template: null }
  const { templateId, variables = {} } = input
  const [template] = await findTemplates(tx, workspaceId, [templateId])
  if (!template) throw invalidRequest({ templateId: 'No such template in this workspace.' })
  const faults = [...faultsOfVariables(template, variables), ...emptyVariables(variables)]
  if (faults.length > 0)
    throw invalidRequest(Object.fromEntries(faults.map(([name, reason]) => [`variables.${name}`, reason])))
  const { text, provider } = fillTemplate(template, variables)
  return { text, template: { id: template.id, marketing: template.category === 'marketing', provider } }
}
