import type { ChannelKind, MessageType } from '../channels/index.ts'

/** A message as its provider told it. */
export interface InboundMessage {
  workspaceId: string
  channelId: string
  channelKind: ChannelKind
  providerMessageId: string
  /** The address that an answer goes to. */
  handle: string
  /** Another address of the same person that came with it. */
  otherHandle: string | null
  /** From their profile; given to a customer who becomes known by the message. */
  name: string | null
  type: MessageType
  text: string | null
  sentAt: Date
}
