/** Sends one request to a provider's API, and reports whether the provider can have received it. */
import { clock } from '../../../platform/clock.ts'
import { readBody } from '../../../platform/read-body.ts'
import { type RawResponse, runtime } from '../../../platform/runtime.ts'

/** A request to a provider. */
export interface ProviderRequest {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
  /** Trace context to send as `traceparent`. Defaults to null: no trace. */
  traceparent?: string | null
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
 * - `silent`: the provider may have processed the request. `reason` completes a sentence in both cases.
 */
export type RequestResult =
  | { kind: 'answered'; status: number; body: unknown; retryAfterMs: number | null }
  | { kind: 'never_sent'; reason: string }
  | { kind: 'silent'; reason: string }

/** Maximum number of response bytes read. Responses of providers are about a page long. */
const maxResponseBytes = 64 * 1024

/** Sends one request without retries. Failures of the other side never reject. */
export const sendRequest = async ({
  timeoutMs,
  signal,
  headers,
  traceparent = null,
  ...request
}: ProviderRequest): Promise<RequestResult> => {
  if (signal.aborted) return { kind: 'never_sent', reason: 'the service is stopping' }
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, timeoutMs)
  signal.addEventListener('abort', abort)
  try {
    const outgoing = {
      ...request,
      headers: { ...headers, ...fixedHeaders, ...(traceparent !== null && { traceparent }) },
      signal: controller.signal,
    }
    const response = await runtime.fetchOnce(outgoing)
    const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'))
    return {
      kind: 'answered',
      status: response.status,
      body: await readJson(response, controller.signal),
      retryAfterMs,
    }
  } catch (error) {
    if (signal.aborted) return { kind: 'silent', reason: 'the service stopped before it received a response' }
    if (controller.signal.aborted)
      return { kind: 'silent', reason: `no response was received within ${timeoutMs / 1000} seconds` }
    return failureResult(error)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

/** Compression is disabled: a compressed response would have to be expanded before its size is known. */
const fixedHeaders = { 'Accept-Encoding': 'identity', 'User-Agent': 'customer-engagement-service' }

/** Parses `Retry-After`, in seconds or as a date. Returns milliseconds. */
const parseRetryAfter = (header: string | null): number | null => {
  if (header === null) return null
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - clock.now()
  return Number.isFinite(ms) ? Math.max(0, Math.ceil(ms)) : null
}

/** Errors in the body are ignored, because the status is already known. */
const readJson = async (response: RawResponse, signal: AbortSignal): Promise<unknown> => {
  try {
    return JSON.parse(new TextDecoder().decode(await readBody(response.body, { maxBytes: maxResponseBytes, signal })))
  } catch {
    return undefined
  }
}

/** Errors without a code are bugs of this service and are rethrown. */
const failureResult = (error: unknown): RequestResult => {
  const code = errorCode(error)
  if (code === null) throw error
  if (connectErrors.has(code))
    return { kind: 'never_sent', reason: reasonByCode[code] ?? 'the host could not be reached' }
  if (certificateErrors.test(code)) return { kind: 'never_sent', reason: 'its certificate is not valid' }
  return { kind: 'silent', reason: 'the connection closed before a response' }
}

const errorCode = (error: unknown): string | null => {
  if (!(error instanceof Error)) return null
  if ('code' in error && typeof error.code === 'string') return error.code
  return errorCode(error.cause)
}

/** Error codes that occur only before a connection exists: the host is unreachable, or this machine has no network. */
const connectErrors = new Set([
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
const certificateErrors = /CERT|CRL|VERIFY|ISSUER|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH/

const reasonByCode: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'its host name was not found',
  EAI_AGAIN: 'its host name could not be looked up',
  EMFILE: 'this machine has no free file descriptors for connections',
  ENFILE: 'this machine has no free file descriptors for connections',
}
