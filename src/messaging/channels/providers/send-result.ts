/** Interprets a provider's response to a sent message. */

import { maxDetail, parseText } from './parsers.ts'
import type { SendError, SendResult } from './provider.ts'
import type { RequestResult } from './send-request.ts'

/** Meaning of a provider's error code, in words for the person who reads the message. */
export interface Meaning {
  class: SendError['class']
  words: string
  /** Used if the provider gives no delay. */
  retryAfterMs?: number
}

/** Error in a provider's response. */
export interface ProviderError {
  code: string
  /** Distinguishes several meanings of one code. */
  subcode?: string | null
  text: string | null
}

/** Reads the responses of a provider. */
export interface ResponseReader {
  name: string
  /** Returns the result if the provider accepted the message; null if the response does not say so. */
  accepted(body: unknown): SendResult | null
  /** Returns the error code and text, or null if the response has none. */
  error(body: unknown): ProviderError | null
  meaning(error: ProviderError): Meaning | undefined
}

/**
 * Returns the result of sending a message. It is `unknown` if the provider may have accepted the message and did not
 * reject it. `secrets` are removed from the text, because providers repeat their input.
 */
export const toSendResult = (result: RequestResult, reader: ResponseReader, secrets: string[]): SendResult => {
  if (result.kind === 'never_sent')
    return rejected('retry', null, `${reader.name} could not be reached: ${result.reason}.`)
  if (result.kind === 'silent') return unknown(`${reader.name} received the message, but ${result.reason}.`)
  const { status, body } = result
  const accepted = isSuccess(status) ? reader.accepted(body) : null
  if (accepted) return accepted
  const error = reader.error(body)
  const meaning = error ? reader.meaning(error) : undefined
  const message = error && redactSecrets(`${reader.name} rejected it: ${error.text ?? 'no reason given'}`, secrets)
  const code = error?.code ?? null
  if (isRejection(status) || (meaning && meaning.class !== 'retry')) {
    const kind = meaning?.class ?? classifyStatus(status, code)
    const words = meaning?.words ?? message ?? `${reader.name} rejected it with status ${status}`
    return rejected(kind, code, withErrorCode(words, code), result.retryAfterMs ?? meaning?.retryAfterMs ?? null)
  }
  const outcome = isSuccess(status) ? 'responded with something that cannot be read' : `responded with status ${status}`
  return unknown(withErrorCode(`${reader.name} received the message, and ${outcome}`, code))
}

/** Returns the sentence with the error code, in the same form everywhere. */
export const withErrorCode = (words: string, code: string | null): string =>
  code === null ? `${words}.` : `${words} (code ${code}).`

/** Shorter values are not secrets, and would match parts of ordinary words. */
const minRedactedLength = 8

/** Removes secrets from a provider's text. */
export const redactSecrets = (message: string, secrets: string[]): string => {
  const longSecrets = secrets.filter(secret => secret.length >= minRedactedLength)
  const clean = longSecrets.reduce((text, secret) => text.replaceAll(secret, '…'), message)
  return (parseText(clean, maxDetail) ?? '').replace(/\.$/, '')
}

const unknown = (detail: string): SendResult => ({ kind: 'unknown', detail })

const rejected = (
  kind: SendError['class'],
  code: string | null,
  detail: string,
  retryAfterMs: number | null = null,
): SendResult => ({ kind: 'refused', error: { class: kind, code, detail, retryAfterMs } })

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** Statuses that mean the request was not carried out. With any other status it may have been. */
const isRejection = (status: number): boolean => status >= 400 && status < 500

/** A 403 with an unknown error code can concern this message only, so it is not treated as `auth`. */
const classifyStatus = (status: number, code: string | null): SendError['class'] => {
  if (status === 401 || (status === 403 && code === null)) return 'auth'
  if (status === 429) return 'rate'
  return status === 408 || status === 425 ? 'retry' : 'permanent'
}
