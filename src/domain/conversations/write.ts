/** Messages that people send into conversations: replies, templates and resent messages. */
import type { Sql } from '../../db/client.ts'
import { transaction } from '../../db/client.ts'
import { type Capabilities, type ChannelKind, providers } from '../channels/index.ts'
import type { Ctx } from '../context.ts'
import { DomainError, invalidRequest, notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import {
  findByKey,
  findMessage,
  findResent,
  findTemplateOf,
  handOn,
  holdConversation,
  type Message,
  type MessageRow,
  noteResent,
  type QueuedTemplate,
  queueOne,
  shapeOfMessage,
  type WrittenInto,
  wasRemoved,
} from '../messages/index.ts'
import { faultsOfVariables, fillTemplate, findTemplates } from '../templates/index.ts'
import { verb } from '../verb.ts'
import { judge, refusedBecause } from './judge.ts'
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
  return writeInto(ctx, id, async tx => {
    const first = idempotencyKey && (await findByKey(tx, { workspaceId, conversationId: id, idempotencyKey }))
    if (first) return { first }
    if (idempotencyKey && (await wasRemoved(tx, { workspaceId, conversationId: id, idempotencyKey }))) throw notKept()
    return { ...(await contentOf(tx, workspaceId, input)), idempotencyKey }
  })
})

const notKept = (): DomainError =>
  new DomainError(
    'unprocessable',
    'A message was written with this idempotencyKey before, and is no longer kept. It is not written again; for another message take another key.',
  )

/**
 * Queues the text of an undelivered message again, as a new message of the caller. If it was resent before and that
 * message can still arrive or has arrived, returns that message instead.
 */
export const resendMessage = verb({ by: 'member' }, async (ctx, id: string): Promise<Written> => {
  const { workspaceId } = ctx.caller
  const found = isId(id) ? await findMessage(ctx.sql, workspaceId, id) : null
  if (!found) throw notFound('message')
  return writeInto(ctx, found.conversationId, async tx => {
    // Read again while the conversation is locked, because the message may have been delivered since.
    const row = await findMessage(tx, workspaceId, id)
    if (row?.direction !== 'outbound' || !undelivered.has(row.status)) throw notToBeSentAgain(row?.status)
    const first = await findResent(tx, workspaceId, id)
    if (first && !undelivered.has(first.status)) return { first }
    if (row.text === null) throw new DomainError('unprocessable', 'The message has no text any more.')
    const template = await findTemplateOf(tx, workspaceId, id)
    return { text: row.text, template, idempotencyKey: null, of: id }
  })
})

const undelivered = new Set(['failed', 'unknown', 'skipped'])

const notToBeSentAgain = (status: string | undefined): DomainError =>
  new DomainError(
    'unprocessable',
    `Only a message of ours that is failed, unknown or skipped can be sent again; this one is ${status}.`,
  )

interface Content {
  text: string
  template: QueuedTemplate | null
}

/** `of` is the id of the message to resend. */
type Composed = (Content & { idempotencyKey: string | null; of?: string }) | { first: MessageRow }

/**
 * Composes and queues a message in one transaction that locks the conversation, so that the checked state is still
 * valid.
 */
const writeInto = async (
  ctx: Ctx,
  conversationId: string,
  compose: (tx: Sql) => Promise<Composed>,
): Promise<Written> => {
  const { workspaceId, id: userId } = ctx.caller
  const askedAt = performance.now()
  const { row, isNew } = await transaction(ctx.sql, async tx => {
    const into = await holdConversation(tx, workspaceId, conversationId)
    if (!into) throw notFound('conversation')
    const composed = await compose(tx)
    if ('first' in composed) return { row: composed.first, isNew: false }
    judgeContent(into, composed)
    const { customerId, channelId, handle } = into
    const { of, ...content } = composed
    const id = await queueOne(tx, {
      workspaceId,
      customerId,
      channelId,
      handle: handle!,
      ...content,
      sentBy: { type: 'user', id: userId },
      writtenBy: null,
      skipped: null,
    })
    if (of !== undefined) await noteResent(tx, { workspaceId, id: of, resentAs: id })
    return { row: (await findMessage(tx, workspaceId, id))!, isNew: true }
  })
  if (isNew) handOn(ctx.sql, [{ workspaceId, channelId: row.channelId, letters: [] }], askedAt)
  return { message: shapeOfMessage(row), isNew }
}

const judgeContent = (into: WrittenInto, { text, template }: Content): void => {
  const capabilities = capabilitiesOf(into.channelKind)
  const draft = template && { marketing: template.marketing, isApproved: template.provider !== null }
  const reason = judge(into, { template: draft }, capabilities)
  if (reason !== null) throw refusedBecause(reason)
  const { maxCharacters } = capabilities
  if ([...text].length > maxCharacters)
    throw invalidRequest({
      [template ? 'variables' : 'text']: `The message has at most ${maxCharacters} characters on this channel.`,
    })
}

/** Fails for kinds of channels that only a newer release knows. A process of that release can send the message. */
const capabilitiesOf = (kind: string): Capabilities => {
  const provider = providers[kind as ChannelKind]
  if (provider) return provider.capabilities
  throw new DomainError('unprocessable', 'This process does not know the kind of the channel yet. Try again later.')
}

/** Returns variables that would leave a gap in the text. */
const emptyIn = (variables: Record<string, string>): [name: string, reason: string][] =>
  Object.entries(variables).flatMap(([name, text]) => (text.trim() === '' ? [[name, 'Is empty. Write a text.']] : []))

const contentOf = async (tx: Sql, workspaceId: string, input: WriteMessage): Promise<Content> => {
  if ('text' in input) return { text: input.text, template: null }
  const { templateId, variables = {} } = input
  const [template] = await findTemplates(tx, workspaceId, [templateId])
  if (!template) throw invalidRequest({ templateId: 'There is no such template in this workspace.' })
  const faults = [...faultsOfVariables(template, variables), ...emptyIn(variables)]
  if (faults.length > 0)
    throw invalidRequest(Object.fromEntries(faults.map(([name, reason]) => [`variables.${name}`, reason])))
  const { text, provider } = fillTemplate(template, variables)
  return { text, template: { id: template.id, marketing: template.category === 'marketing', provider } }
}
