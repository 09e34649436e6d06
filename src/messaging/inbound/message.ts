import type { ChannelKind, MessageType } from '../channels/index.ts'

/** A message as received from its provider. */
export interface InboundMessage {
  workspaceId: string
  channelId: string
  channelKind: ChannelKind
  providerMessageId: string
  /** Address for replies. */
  handle: string
  /** Another address of the same person, sent with the message. */
  otherHandle: string | null
  /** Name from the person's profile. Used if the message creates a customer. */
  name: string | null
  type: MessageType
  text: string | null
  sentAt: Date
}
