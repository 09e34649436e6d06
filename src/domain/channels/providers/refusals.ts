/** What follows from a provider's answer to a message that was handed over. */
import type { Asked } from './ask.ts'
import { maxDetail, textOf } from './outside.ts'
import type { SendError, SendResult } from './provider.ts'

/** What one of a provider's codes means, in words for the person who reads the message. */
export interface Meaning {
  class: SendError['class']
  words: string
  /** Where the provider names no wait of its own. */
  retryAfterMs?: number
}

/** What a provider says went wrong. */
export interface ProviderError {
  code: string
  /** What of the code is meant, where it is of several things. */
  subcode?: string | null
  text: string | null
}

/** How a provider speaks. */
export interface Speech {
  name: string
  /** What it says when it has taken the message; null where its answer cannot be read so. */
  accepted(body: unknown): SendResult | null
  /** Its own code and words; null where its answer holds none. */
  error(body: unknown): ProviderError | null
  meaning(error: ProviderError): Meaning | undefined
}

/**
 * What became of the message. Where the provider may have taken it, and did not say that it has not, nobody knows.
 * Nothing of `secrets` is in the words: providers repeat what they were given.
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

/** The sentence for a code, wherever it comes up. */
export const sentence = (words: string, code: string | null): string =>
  code === null ? `${words}.` : `${words} (code ${code}).`

/** Shorter ones are no secrets, and would be found in many words. */
const shortestSecret = 8

/** What a provider says, without what only it and we may know. */
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

/** By these it says that it has not done what it was asked; of any other, it may have. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500

/** What is forbidden for a reason of its own, which is not known here, may be this message alone. */
const classOf = (status: number, code: string | null): SendError['class'] => {
  if (status === 401 || (status === 403 && code === null)) return 'auth'
  if (status === 429) return 'rate'
  return status === 408 || status === 425 ? 'retry' : 'permanent'
}
