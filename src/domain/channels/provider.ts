/** What every messaging provider looks like from inside: one adapter per kind of channel. */
import { sandbox } from './sandbox.ts'

export interface OutboundMessage {
  id: string
  handle: string
  text: string
}

export type DeliveryStatus = 'delivered' | 'read' | 'failed'

/** What the provider said of a message handed to it. Its refusal is a value; only our own bugs throw. */
export type SendOutcome =
  | {
      kind: 'accepted'
      providerMessageId: string
      /** Statuses that the provider told at once; those of real providers come later, by callback. */
      statuses: { status: DeliveryStatus; detail: string | null }[]
    }
  | { kind: 'refused'; detail: string }

export interface Provider {
  /** Safe to repeat with the same message id: the provider must know a message it has already taken. */
  send(message: OutboundMessage): Promise<SendOutcome>
}

const providers: Record<'sandbox', Provider> = { sandbox }

/** The adapter of a kind of channel. */
export const providerOf = (kind: keyof typeof providers): Provider => providers[kind]
