/** Interface of a messaging provider. Each kind of channel has its own folder next to this file. */
import { type Static, type StringOptions, type TSchema, Type } from '@sinclair/typebox'
import type { ProviderUrlSetting } from '../../../config.ts'
import { errorMessage } from '../../../core/schema.ts'

/** A provider. Rejections and timeouts are returned as values; only bugs throw. */
export interface Provider<Credentials extends TSchema = TSchema> {
  /** Name of the product for people, such as `WhatsApp`. */
  name: string
  /** Description for owners and for the published document, in one or two sentences. */
  description: string
  /**
   * Schema of the credentials that an owner enters: an object, or a union of objects that differ in a field. Each field
   * is a `credential`. `Type.Null()` if none are needed.
   */
  credentials: Credentials
  capabilities: Capabilities
  /** Base URL of the API; null if the provider runs inside this process. */
  api: { setting: ProviderUrlSetting; defaultUrl: string } | null
  /**
   * Returns our number, or an identifier in its place; null if there is none. Connected channels have different
   * numbers.
   */
  numberOf(credentials: Static<Credentials>): string | null
  /** Checks the credentials with the provider. Sends no message. */
  checkCredentials(options: CallOptions<Static<Credentials>>): Promise<CredentialsCheck>
  /** Sends one message, without retries, within the timeout in `options`. */
  send(message: OutboundMessage, options: CallOptions<Static<Credentials>>): Promise<SendResult>
  /** Callback handlers for messages and statuses; null if the response to `send` contains everything. */
  callbacks: Callbacks<Static<Credentials>> | null
}

/** Features and limits of a provider's channels. */
export interface Capabilities {
  /** Hours after a customer's message in which free-form texts are allowed; null = always. */
  freeFormWindowHours: number | null
  templates: boolean
  media: boolean
  maxCharacters: number
  /** Rate limit of one channel; null = unlimited. */
  rateLimit: ProviderRateLimit | null
  /** Whether the provider reports that a customer read a message. */
  reportsRead: boolean
  /**
   * Whether the provider deduplicates by our message ids, so that a message can be sent again safely. With any other
   * provider, an interrupted send is never repeated.
   */
  isIdempotent: boolean
}

/** Texts of a credential for people, and the limits of its value. */
interface CredentialOptions extends Pick<StringOptions, 'pattern' | 'minLength' | 'maxLength'> {
  label: string
  /** Purpose of the value and where the owner finds it. */
  description: string
  /** Error message for a value that does not match. */
  error: string
  example: string
  /** Whether forms hide the value. */
  secret?: boolean
}

/** Declares a field of the credentials. Forms and the published document are derived from it. */
export const credential = ({ label, description, error, example, secret = false, ...limits }: CredentialOptions) =>
  Type.String({
    ...limits,
    title: label,
    description,
    examples: [example],
    ...(secret && { format: 'password' }),
    ...errorMessage(error),
  })

export interface ProviderRateLimit {
  perSecond: number
  /** Minimum milliseconds between two messages to the same person; null = no limit. */
  perHandleMs: number | null
  /**
   * Number of messages that can be sent to a person without `perHandleMs` between them. Later messages wait longer to
   * compensate. Defaults to 1.
   */
  handleBurst?: number
}

export interface OutboundMessage {
  id: string
  /** The customer's address on the channel. */
  handle: string
  text: string
  /**
   * Approved template, for providers that have them. `text` contains the same template with its parameters filled in.
   */
  template: { name: string; language: string; parameters: string[] } | null
}

/** Result of checking credentials, in words for the owner. `number` is ours, if the provider returns it. */
export interface CredentialsCheck {
  ok: boolean
  detail: string
  number?: string
}

export type SandboxDelivery = 'delivered' | 'read' | 'failed' | 'manual' | 'rejected'

/** Credentials and limits for sending one message. */
export interface CallOptions<Credentials> {
  credentials: Credentials
  /** Base URL of the provider's API, as configured; empty if it has none. */
  apiUrl: string
  /** Our callback URL for statuses of this message; null without a public URL. */
  statusUrl: string | null
  /** Simulated delivery result of sandbox messages. */
  sandboxDelivery: SandboxDelivery
  /** Trace context to send as `traceparent`. Defaults to null: no trace. */
  traceparent?: string | null
  /** Timeout in milliseconds, after which the result is `unknown`. */
  timeoutMs: number
  /** Aborts when the process stops. */
  signal: AbortSignal
}

export type DeliveryStatus = 'delivered' | 'read' | 'failed'

/**
 * Result of sending a message.
 *
 * - `accepted`: the provider has the message. `statuses` are those in its response.
 * - `refused`: the provider rejected the message.
 * - `unknown`: there was no readable response. The customer may or may not receive the message.
 */
export type SendResult =
  | { kind: 'accepted'; providerMessageId: string; statuses: { status: DeliveryStatus; detail: string | null }[] }
  | { kind: 'refused'; error: SendError }
  | { kind: 'unknown'; detail: string }

/**
 * Reason why a provider rejected a message. Only the class decides what happens next:
 *
 * - `retry`, `rate`: the provider may accept the message later, not before `retryAfterMs` if given.
 * - `permanent`: the provider will never accept it.
 * - `window`: the period for free-form texts to this customer has ended.
 * - `opted_out`: the customer wants no messages from this number.
 * - `auth`: the provider rejects our credentials.
 */
export interface SendError {
  class: 'retry' | 'rate' | 'permanent' | 'window' | 'opted_out' | 'auth'
  /** Error code of the provider, such as `131047`; null if it gave none. */
  code: string | null
  /** Explanation for the person who reads the message. */
  detail: string
  retryAfterMs: number | null
}

/** Minimum number of characters of a signing secret. A guessed secret would allow forged callbacks. */
export const minSecretLength = 16

/** An unmodified request from the provider. */
export interface CallbackRequest {
  /** Public URL of the request. Some providers include it in the signature. */
  url: string
  headers: Headers
  /** Raw bytes, over which signatures are computed. */
  body: Uint8Array
}

export interface Callbacks<Credentials> {
  /** Path segment of the callback URL, after /v1/inbound. */
  name: string
  /** Instructions for the owner: where to enter the callback URL at the provider. */
  setup: string
  /** Sender and signature of callbacks, for the published document. */
  description: string
  /** Media type of callbacks, for the published document. It is not enforced. */
  mediaType: string
  /** Name of the signature header. A callback without it is rejected before its body is read. */
  signatureHeader: string
  /**
   * Returns whether the signature is valid, compared in constant time. The content is not validated here, whatever its
   * form or size. Throws 400 (DomainError) if checking would take too long.
   */
  verify(request: CallbackRequest, credentials: Credentials): boolean
  /**
   * Returns the items of the callback, or none if nothing is of interest. Never throws: faults are reported in
   * `rejections`. The credentials identify our number, because one callback can cover several.
   */
  read(request: CallbackRequest, credentials: Credentials): CallbackContent
  /** Returns the plain text response to a verification GET, or null if the request does not know our token. */
  challenge?(query: URLSearchParams, credentials: Credentials): string | null
  /** Response to every callback. */
  response: { contentType: string; body: string }
}

export interface CallbackContent {
  items: CallbackItem[]
  /** One sentence for each item that could not be understood, stored for people to read. */
  rejections: string[]
}

export type MessageType = 'text' | 'image' | 'audio' | 'video' | 'document' | 'location' | 'other'

/** One item of a callback. */
export type CallbackItem =
  | {
      kind: 'message'
      providerMessageId: string
      /** Address for replies: E.164, or an id of the provider if there is no number. */
      handle: string
      /** Second address of the same person in the callback. */
      otherHandle: string | null
      name: string | null
      type: MessageType
      /** Null for types without a text. Captions count as text. */
      text: string | null
      sentAt: Date
    }
  | {
      kind: 'status'
      providerMessageId: string
      /** Our id of the message, if the provider returns it. */
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
      /** Time given by the provider, in whole seconds; omitted if there is none. */
      at?: Date
      /** Provider's id of the message that contained the preference, if any. */
      sourceMessageId?: string
    }
