/** What a messaging provider looks like from inside: one folder beside this file for each kind of channel. */
import type { Static, TSchema } from '@sinclair/typebox'

/** A provider. Its refusals and its silence are values; only our own bugs throw. */
export interface Provider<Credentials extends TSchema = TSchema> {
  /** What it is, in a sentence or two for the published document. */
  description: string
  /** The shape of what an owner gives to connect a channel; null where nothing is needed. */
  credentials: Credentials
  capabilities: Capabilities
  /** Where it is reached; null = nowhere outside of this process. */
  api: { setting: 'WHATSAPP_API_URL' | 'TWILIO_API_URL'; defaultUrl: string } | null
  /** Our own number on it, or what stands for one; null where there is none. No two living channels share one. */
  numberOf(credentials: Static<Credentials>): string | null
  /** Asks who we are, with these credentials. Sends nothing to anybody. */
  whoAreWe(handover: Handover<Static<Credentials>>): Promise<Introduction>
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
  /** How fast it takes messages of one channel; null = as fast as they come. */
  pace: Pace | null
  /**
   * It knows messages by our ids: one that is handed over twice reaches the customer once. Of any other provider's
   * messages, those whose handing-over broke off are never handed over again.
   */
  knowsOurIds: boolean
}

export interface Pace {
  perSecond: number
  /** Milliseconds from one message to a person to the next one to the same; null = any. */
  perHandleMs: number | null
  /** So many to a person may go faster, and are made up for by those after them; 1 if it is not said. */
  handleBurst?: number
}

export interface OutboundMessage {
  id: string
  /** The customer's address on the channel. */
  handle: string
  text: string
  /** An approved template, for providers that have them: what `text` says is its text filled in. */
  template: { name: string; language: string; parameters: string[] } | null
}

/** What a provider says of our credentials, in words for the owner; `number` where it tells ours. */
export interface Introduction {
  ok: boolean
  detail: string
  number?: string
}

export type SandboxDelivery = 'delivered' | 'read' | 'failed' | 'manual'

/** With what, and within what time, a message is handed over. */
export interface Handover<Credentials> {
  credentials: Credentials
  /** Of its `api`, as set; '' where it has none. */
  apiUrl: string
  /** Where it is to tell what became of the message: an address of ours that names it; null where we have no public one. */
  statusUrl: string | null
  /** What becomes of the messages of a sandbox. */
  sandboxDelivery: SandboxDelivery
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

/** Minimum number of characters of a secret that proves a callback: whoever guesses it can forge callbacks. */
export const minSecretLength = 16

/** A request from the provider, as it came in. */
export interface CallbackRequest {
  /** The public address it was sent to: some providers sign it. */
  url: string
  headers: Headers
  /** The raw bytes: signatures are over these. */
  body: Uint8Array
}

export interface Callbacks<Credentials> {
  /** Name of the header with the signature: a callback without it is refused before its body is read. */
  signatureHeader: string
  /**
   * Whether the provider sent it. Looks at nothing but the signature, in constant time: however odd or large what was
   * signed is, it is the provider's. 400 (DomainError) for what could not be judged in good time.
   */
  verify(request: CallbackRequest, credentials: Credentials): boolean
  /**
   * What it tells; empty where nothing in it is of interest. Never throws: what cannot be understood is told as such. The
   * credentials say which number is ours: one callback may tell of several.
   */
  read(request: CallbackRequest, credentials: Credentials): CallbackContent
  /** What a GET that asks whether we are there is answered, as plain text; null = it is not from somebody who knows us. */
  challenge?(query: URLSearchParams, credentials: Credentials): string | null
  /** What every callback is answered. */
  answer: { contentType: string; body: string }
}

export interface CallbackContent {
  items: CallbackItem[]
  /** In words, each for something that could not be understood: kept for people to see. */
  notUnderstood: string[]
}

export type MessageType = 'text' | 'image' | 'audio' | 'video' | 'document' | 'location' | 'other'

/** One thing that a callback tells. */
export type CallbackItem =
  | {
      kind: 'message'
      providerMessageId: string
      /** The address that an answer goes to: E.164, or an id of the provider's where it tells no number. */
      handle: string
      /** Another address of the same person that came with it. */
      otherHandle: string | null
      name: string | null
      type: MessageType
      /** Of a type without a text null; a caption is its text. */
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
  | {
      kind: 'preference'
      handle: string
      wants: 'stop' | 'resume'
      words: string
      /** The provider's time of it, in whole seconds; left out where it tells none. */
      at?: Date
      /** The message by which it was told, as the provider calls it, where there is one. */
      toldBy?: string
    }
