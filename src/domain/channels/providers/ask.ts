/** Sends one request to a provider's API, and reports whether the provider can have received it. */
import { clock } from '../../../platform/clock.ts'
import { type Answer, runtime } from '../../../platform/runtime.ts'

/** A request to a provider. */
export interface Question {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
  /** Timeout in milliseconds for the whole request: name resolution, connection, TLS and response. */
  timeoutMs: number
  /** Aborts when the process stops. */
  signal: AbortSignal
}

/**
 * Result of a request.
 *
 * - `answered`: the provider returned a status. `body` is the JSON, or undefined if it cannot be parsed.
 * - `never_sent`: the provider cannot have received the request.
 * - `silent`: the provider may have processed the request. `why` completes a sentence in both cases.
 */
export type Asked =
  | { kind: 'answered'; status: number; body: unknown; retryAfterMs: number | null }
  | { kind: 'never_sent'; why: string }
  | { kind: 'silent'; why: string }

/** Maximum number of response bytes read. Responses of providers are about a page long. */
const maxAnswerBytes = 64 * 1024

/** Sends one request without retries. Failures of the other side never reject. */
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

/** Compression is disabled: a compressed response would have to be expanded before its size is known. */
const always = { 'Accept-Encoding': 'identity', 'User-Agent': 'customer-engagement-service' }

/** Parses `Retry-After`, in seconds or as a date. Returns milliseconds. */
const waitOf = (header: string | null): number | null => {
  if (header === null) return null
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - clock.now()
  return Number.isFinite(ms) ? Math.max(0, Math.ceil(ms)) : null
}

/** Errors in the body are ignored, because the status is already known. */
const jsonOf = async (answer: Answer, signal: AbortSignal): Promise<unknown> => {
  try {
    return JSON.parse(new TextDecoder().decode(await bytesOf(answer, signal)))
  } catch {
    return undefined
  }
}

/** Reads the whole body, or closes the connection. */
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

/** Errors without a code are bugs of this service and are rethrown. */
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

/** Error codes that occur only before a connection exists: the host is unreachable, or this machine has no network. */
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

/** Matches error codes of untrusted certificates, which runtimes detect before sending anything. */
const untrusted = /CERT|CRL|VERIFY|ISSUER|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH/

const wordsOf: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'its host name was not found',
  EAI_AGAIN: 'its host name could not be looked up',
  EMFILE: 'this machine may open no more connections',
  ENFILE: 'this machine may open no more connections',
}
