/** Simulates callbacks of a provider on a sandbox channel. */

import { type Static, Type } from '@sinclair/typebox'
import type { Ctx } from '../../core/context.ts'
import { DomainError, invalidRequest, notFound } from '../../core/errors.ts'
import { isId, newId } from '../../core/ids.ts'
import { errorMessage, Id, Nullable, Phone, publishedKeywords, requireAny, withDescription } from '../../core/schema.ts'
import { verb } from '../../core/verb.ts'
import { clock } from '../../platform/clock.ts'
import { findChannel, type MessageType } from '../channels/index.ts'
import { receiveMessage } from '../inbound/index.ts'
import { findMessage, type Message, recordStatuses, shapeOfMessage } from '../messages/index.ts'

const types: MessageType[] = ['text', 'image', 'audio', 'video', 'document', 'location', 'other']

export const SandboxMessage = Type.Object(
  {
    from: Phone,
    text: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 4096,
          description: 'Text of the message. Optional if `type` is not `text`.',
          ...errorMessage('Must be a text of 1 to 4096 characters.'),
        }),
      ),
    ),
    type: Type.Optional(
      Type.Union(
        types.map(type => Type.Literal(type)),
        {
          default: 'text',
          description: 'Type of the message.',
          ...errorMessage(`Must be one of ${types.join(', ')}.`),
        },
      ),
    ),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: "Name in the customer's profile. Used if this message creates the customer.",
        ...errorMessage('Must be a text of 1 to 200 characters.'),
      }),
    ),
    providerMessageId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'ID of the message at the provider. A repeated ID refers to the same message.',
        ...errorMessage('Must be a text of 1 to 200 characters.'),
      }),
    ),
  },
  {
    additionalProperties: false,
    $id: 'SandboxMessage',
    ...publishedKeywords({ if: { properties: { type: { const: 'text' } } }, then: requireAny(['text']) }),
  },
)
export type SandboxMessage = Static<typeof SandboxMessage>

const statuses = ['sent', 'delivered', 'read', 'failed'] as const

export const SandboxStatus = Type.Object(
  {
    messageId: withDescription(Id, 'ID of the outbound message that the status belongs to.'),
    status: Type.Union(
      statuses.map(status => Type.Literal(status)),
      { description: 'Status that the provider reports.', ...errorMessage(`Must be one of ${statuses.join(', ')}.`) },
    ),
    detail: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 500,
          description: 'Why the message failed, in words.',
          ...errorMessage('Must be a text of at most 500 characters.'),
        }),
      ),
    ),
  },
  { additionalProperties: false, $id: 'SandboxStatus' },
)
export type SandboxStatus = Static<typeof SandboxStatus>

/** Records a message as if the customer had sent it. */
export const writeSandboxMessage = verb(
  { by: 'member' },
  async (ctx, channelId: string, input: SandboxMessage): Promise<Message> => {
    const { workspaceId } = ctx.caller
    const type = (input.type as MessageType | undefined) ?? 'text'
    const text = input.text ?? null
    if (type === 'text' && text === null) throw invalidRequest({ text: 'Is required for a message of type text.' })
    await requireSandbox(ctx, channelId)
    const { messageId } = await receiveMessage(ctx.sql, {
      workspaceId,
      channelId,
      channelKind: 'sandbox',
      providerMessageId: input.providerMessageId ?? `sandbox-${newId()}`,
      handle: input.from,
      otherHandle: null,
      name: input.name ?? null,
      type,
      text,
      sentAt: new Date(clock.now()),
    })
    const stored = await findMessage(ctx.sql, workspaceId, messageId)
    if (!stored) throw notFound('message')
    return shapeOfMessage(stored)
  },
)

/** Records a status of an outbound message as if the provider had reported it. */
export const tellSandboxStatus = verb(
  { by: 'member' },
  async (ctx, channelId: string, { messageId, status, detail = null }: SandboxStatus): Promise<void> => {
    await requireSandbox(ctx, channelId)
    const { workspaceId } = ctx.caller
    const target = await findMessage(ctx.sql, workspaceId, messageId)
    // Without this check, a status of an unknown message would be stored for a message that may arrive later.
    if (target?.channelId !== channelId.toLowerCase() || target.direction !== 'outbound') throw notFound('message')
    // Message ids of the sandbox provider.
    const providerMessageId = `sandbox-${messageId.toLowerCase()}`
    const at = new Date(clock.now())
    const reported = { workspaceId, channelId, messageId, providerMessageId, status, detail, at }
    await recordStatuses(ctx.sql, reported)
  },
)

const requireSandbox = async ({ sql, caller }: Ctx, id: string): Promise<void> => {
  const channel = isId(id) ? await findChannel(sql, caller.workspaceId, id) : null
  if (!channel) throw notFound('channel')
  if (channel.kind !== 'sandbox')
    throw new DomainError(
      'unprocessable',
      'Only a sandbox channel can simulate customers and the provider. Use a sandbox channel.',
    )
  if (channel.status === 'disconnected')
    throw new DomainError('unprocessable', 'channel_disconnected: This channel is permanently disconnected.')
}
