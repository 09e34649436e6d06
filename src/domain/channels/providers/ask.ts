/** One request to a provider's interface, and what can be known of it afterwards. */
import { clock } from '../../../platform/clock.ts'
import { type Answer, runtime } from '../../../platform/runtime.ts'

/** A request to a provider. */
export interface Question {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
  /** For all of it together: name, connection, TLS, answer. */
  timeoutMs: number
  /** Aborts when the process ends. */
  signal: AbortSignal
}

/**
 * What became of a request.
 *
 * - `answered`: there was a status. `body` is its JSON; undefined where there is none that can be read.
 * - `never_sent`: nobody can have got it.
 * - `silent`: it may have been taken or not. `why` ends a sentence in both.
 */
export type Asked =
  | { kind: 'answered'; status: number; body: unknown; retryAfterMs: number | null }
  | { kind: 'never_sent'; why: string }
  | { kind: 'silent'; why: string }

/** Bytes of an answer that are read: what providers answer is a page at most. */
const maxAnswerBytes = 64 * 1024

/** Asks once. Never rejects because of what the other side does. */
export const ask = async ({ timeoutMs, signal, headers, ...request }: Question): Promise<Asked> => {
  if (signal.aborted) return { kind: 'never_sent', why: 'the service is stopping' }
  const time = new AbortController()
  const stop = () => time.abort()
  const timer = setTimeout(stop, timeoutMs)
  signal.addEventListener('abort', stop)
  try {
    const sent = { ...request, headers: { ...headers, ...always }, signal: time.signal }
    const answer = await runtime.ask(sent)
    const retryAfterMs = waitOf(answer.headers.get('retry-after'))
    return { kind: 'answered', status: answer.status, body: await jsonOf(answer, time.signal), retryAfterMs }
  } catch (error) {
    if (signal.aborted) return { kind: 'silent', why: 'the service stopped while it waited for the answer' }
    if (time.signal.aborted) return { kind: 'silent', why: `there was no answer within ${timeoutMs / 1000} seconds` }
    return withoutAnswer(error)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

/** An answer that is compressed would have to be expanded before it could be measured. */
const always = { 'Accept-Encoding': 'identity', 'User-Agent': 'customer-engagement-service' }

/** What `Retry-After` says: seconds, or a date. */
const waitOf = (header: string | null): number | null => {
  if (header === null) return null
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - clock.now()
  return Number.isFinite(ms) ? Math.max(0, Math.ceil(ms)) : null
}

/** However the body ends, the status stands. */
const jsonOf = async (answer: Answer, signal: AbortSignal): Promise<unknown> => {
  try {
    return JSON.parse(new TextDecoder().decode(await bytesOf(answer, signal)))
  } catch {
    return undefined
  }
}

/** Reads all of it or gives its connection up. */
const bytesOf = async (answer: Answer, signal: AbortSignal): Promise<Uint8Array> => {
  const reader = answer.body?.getReader()
  if (reader === undefined) return new Uint8Array()
  const giveUp = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', giveUp)
  try {
    const chunks: Uint8Array[] = []
    let received = 0
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return Buffer.concat(chunks)
      received += value.byteLength
      if (received > maxAnswerBytes) {
        giveUp()
        throw new Error('The answer is too long.')
      }
      chunks.push(value)
    }
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

/** Our own bugs have no code, and are thrown. */
const withoutAnswer = (error: unknown): Asked => {
  const code = codeOf(error)
  if (code === null) throw error
  if (beforeAnythingWasSent.has(code)) return { kind: 'never_sent', why: wordsOf[code] ?? 'it could not be reached' }
  if (untrusted.test(code)) return { kind: 'never_sent', why: 'its certificate is not valid' }
  return { kind: 'silent', why: 'the connection ended before an answer' }
}

const codeOf = (error: unknown): string | null => {
  if (!(error instanceof Error)) return null
  if ('code' in error && typeof error.code === 'string') return error.code
  return codeOf(error.cause)
}

/** That nobody was there, or that this machine had no way out. Of a connection that was made, none of them comes. */
const beforeAnythingWasSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EAI_NONAME',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ENETDOWN',
  'EHOSTDOWN',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
  'EMFILE',
  'ENFILE',
])

/** What a runtime calls a certificate that it does not trust, which it finds before it sends anything. */
const untrusted = /CERT|CRL|VERIFY|ISSUER|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH/

const wordsOf: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'its host name was not found',
  EAI_AGAIN: 'its host name could not be looked up',
  EMFILE: 'this machine may open no more connections',
  ENFILE: 'this machine may open no more connections',
}
