/** Interprets a provider's response to a sent message. */
import type { Asked } from './ask.ts'
import { maxDetail, textOf } from './outside.ts'
import type { SendError, SendResult } from './provider.ts'

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
export interface Speech {
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
export const resultOf = (asked: Asked, speech: Speech, secrets: string[]): SendResult => {
  if (asked.kind === 'never_sent') return refused('retry', null, `${speech.name} was not reached: ${asked.why}.`)
  if (asked.kind === 'silent') return unknown(`${speech.name} was handed the message, but ${asked.why}.`)
  const { status, body } = asked
  const accepted = isSuccess(status) ? speech.accepted(body) : null
  if (accepted) return accepted
  const error = speech.error(body)
  const meaning = error ? speech.meaning(error) : undefined
  const said = error && withoutSecrets(`${speech.name} refused it: ${error.text ?? 'no reason given'}`, secrets)
  const code = error?.code ?? null
  if (isRefusal(status) || (meaning && meaning.class !== 'retry')) {
    const kind = meaning?.class ?? classOf(status, code)
    const words = meaning?.words ?? said ?? `${speech.name} refused it with status ${status}`
    return refused(kind, code, sentence(words, code), asked.retryAfterMs ?? meaning?.retryAfterMs ?? null)
  }
  const answer = isSuccess(status) ? 'answered with something that cannot be read' : `answered with status ${status}`
  return unknown(sentence(`${speech.name} was handed the message, and ${answer}`, code))
}

/** Returns the sentence with the error code, in the same form everywhere. */
export const sentence = (words: string, code: string | null): string =>
  code === null ? `${words}.` : `${words} (code ${code}).`

/** Shorter values are not secrets, and would match parts of ordinary words. */
const shortestSecret = 8

/** Removes secrets from a provider's text. */
export const withoutSecrets = (said: string, secrets: string[]): string => {
  const told = secrets.filter(secret => secret.length >= shortestSecret)
  const clean = told.reduce((text, secret) => text.replaceAll(secret, '…'), said)
  return (textOf(clean, maxDetail) ?? '').replace(/\.$/, '')
}

const unknown = (detail: string): SendResult => ({ kind: 'unknown', detail })

const refused = (
  kind: SendError['class'],
  code: string | null,
  detail: string,
  retryAfterMs: number | null = null,
): SendResult => ({ kind: 'refused', error: { class: kind, code, detail, retryAfterMs } })

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** Statuses that mean the request was not carried out. With any other status it may have been. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500

/** A 403 with an unknown error code can concern this message only, so it is not treated as `auth`. */
const classOf = (status: number, code: string | null): SendError['class'] => {
  if (status === 401 || (status === 403 && code === null)) return 'auth'
  if (status === 429) return 'rate'
  return status === 408 || status === 425 ? 'retry' : 'permanent'
}
