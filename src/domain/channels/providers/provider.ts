/** What a messaging provider looks like from inside: one folder beside this file for each kind of channel. */
import type { Static, TSchema } from '@sinclair/typebox'

/** A provider. Its refusals and its silence are values; only our own bugs throw. */
export interface Provider<Credentials extends TSchema = TSchema> {
  /** What it is, in a sentence or two for the published document. */
  description: string
  /** The shape of what an owner gives to connect a channel; null where nothing is needed. */
  credentials: Credentials
  capabilities: Capabilities
  /** Hands one message over, once. The time for it is in `handover`. */
  send(message: OutboundMessage, handover: Handover<Static<Credentials>>): Promise<SendResult>
  /** How it tells us of messages and statuses; null = it tells all of it in the answer to `send`. */
  callbacks: Callbacks<Static<Credentials>> | null
}

/** What can be done over a provider's channels. */
export interface Capabilities {
  /** Hours after a customer's message in which anything may be written to them; null = always. */
  freeFormWindowHours: number | null
  templates: boolean
  media: boolean
  maxCharacters: number
  /**
   * It knows messages by our ids: one that is handed over twice reaches the customer once. Of any other provider's
   * messages, those whose handing-over broke off are never handed over again.
   */
  knowsOurIds: boolean
}

export interface OutboundMessage {
  id: string
  /** The customer's address on the channel. */
  handle: string
  text: string
}

/** With what, and within what time, a message is handed over. */
export interface Handover<Credentials> {
  credentials: Credentials
  /** Milliseconds until there must be an answer; past them the result is `unknown`. */
  timeoutMs: number
  /** Aborts when the process ends. */
  signal: AbortSignal
}

export type DeliveryStatus = 'delivered' | 'read' | 'failed'

/**
 * What became of handing a message over.
 *
 * - `accepted`: the provider has it. `statuses` are those it told at once.
 * - `refused`: the provider does not have it, and said so.
 * - `unknown`: no answer came, or none that can be read. The customer may get the message or not.
 */
export type SendResult =
  | { kind: 'accepted'; providerMessageId: string; statuses: { status: DeliveryStatus; detail: string | null }[] }
  | { kind: 'refused'; error: SendError }
  | { kind: 'unknown'; detail: string }

/**
 * Why a provider refused. What follows depends on the class alone:
 *
 * - `retry`, `rate`: it may take the message later, not before `retryAfterMs` where it said so.
 * - `permanent`: it never will.
 * - `window`: the time in which anything may be written to this customer is over.
 * - `opted_out`: the customer wants nothing from this number.
 * - `auth`: it does not take our credentials.
 */
export interface SendError {
  class: 'retry' | 'rate' | 'permanent' | 'window' | 'opted_out' | 'auth'
  /** The provider's own, such as `131047`; null where it gave none. */
  code: string | null
  /** In words, for the person who reads the message. */
  detail: string
  retryAfterMs: number | null
}

/** A request from the provider, as it came in. */
export interface CallbackRequest {
  /** The public address it was sent to: some providers sign it. */
  url: string
  headers: Headers
  /** The raw bytes: signatures are over these. */
  body: Uint8Array
}

export interface Callbacks<Credentials> {
  /** Whether the provider sent it. Looks at nothing but the signature, in constant time. */
  verify(request: CallbackRequest, credentials: Credentials): boolean
  /** What it tells; empty where nothing in it is of interest. Throws where it cannot be understood. */
  read(request: CallbackRequest): CallbackItem[]
}

/** One thing that a callback tells. */
export type CallbackItem =
  | {
      kind: 'message'
      providerMessageId: string
      handle: string
      name: string | null
      type: 'text' | 'image' | 'audio' | 'video' | 'document' | 'location' | 'other'
      text: string | null
      sentAt: Date
    }
  | {
      kind: 'status'
      providerMessageId: string
      /** Our own id of the message, where the provider repeats it. */
      messageId: string | null
      status: DeliveryStatus | 'sent'
      detail: string | null
      at: Date | null
    }
  | { kind: 'preference'; handle: string; wants: 'stop' | 'resume'; words: string }
