import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import { type RawResponse, runtime } from '../../platform/runtime.ts'
import { type Resolve, validateWebhookUrl } from '../endpoints/index.ts'
import { Deadline } from './deadline.ts'
import { readResponseBody } from './response-body.ts'

/** One request to one receiver. */
export interface AttemptRequest {
  url: string
  /** All headers except `Host` and `Accept-Encoding`, which are set here. */
  headers: Record<string, string>
  body: string
  /** Timeout of the whole attempt in milliseconds: DNS, connection, TLS and response. */
  timeoutMs: number
  /** Aborts the attempt when the process stops. */
  signal?: AbortSignal
}

/** Reason why there was no response, shown to the owner of the endpoint. Never contains the resolved address. */
export type UnansweredError =
  | 'endpoint url not allowed'
  | 'own headers cannot be read'
  | 'secret cannot be read'
  | 'host name not found'
  | 'address not public'
  | 'connection refused'
  | 'address not reachable'
  | 'connection closed before an answer'
  | 'certificate not valid for this host'
  | 'TLS handshake failed'
  | 'answer not valid HTTP'
  | 'connection failed'
  | 'timed out'

/** Reason why a response does not count as delivered. */
export type RefusedError = 'redirected; redirects are not followed' | 'answered with a status other than 2xx'

/**
 * Result of one attempt. Failures of the receiver are values; only bugs of this service throw. All kinds have the same
 * fields, ready to be stored. `durationMs` is in whole milliseconds and ends with the status line, or with the failure.
 * `responseBody` is the beginning of the response.
 *
 * - `delivered`: a 2xx response.
 * - `refused`: any other response.
 * - `unanswered`: no response that is valid HTTP.
 * - `interrupted`: aborted by `signal` before a response. The receiver may have received it, so it is sent again.
 */
export type AttemptResult =
  | { kind: 'delivered'; statusCode: number; error: null; durationMs: number; responseBody: string }
  | { kind: 'refused'; statusCode: number; error: RefusedError; durationMs: number; responseBody: string }
  | { kind: 'unanswered'; statusCode: null; error: UnansweredError; durationMs: number; responseBody: null }
  | { kind: 'interrupted'; statusCode: null; error: null; durationMs: number; responseBody: null }

/** Makes one attempt. */
export type Attempt = (request: AttemptRequest) => Promise<AttemptResult>

/** Dependencies of attempts: DNS resolution, and the private `host:port` targets that the operator allows. */
export interface AttemptDeps {
  resolve: Resolve
  allowedPrivateTargets: ReadonlySet<string>
}

/**
 * Maximum time in milliseconds for reading the body. The status line has already decided the result, and a slow body
 * must not hold a permit that the next delivery needs.
 */
const maxBodyMs = 1000

/**
 * Maximum number of addresses of a host that one attempt tries. The next one is tried only if the previous one cannot
 * be reached.
 */
const maxAddresses = 3

/** Maximum number of parsed endpoint URLs in the cache. */
const maxTargets = 4096

/**
 * Creates the function that makes attempts. It can be called concurrently without limit. Connections are kept alive and
 * shared between calls.
 */
export const createAttempt = ({ resolve, allowedPrivateTargets }: AttemptDeps): Attempt => {
  const findTarget = cacheTargets(url => parseTarget(url, allowedPrivateTargets))

  return async request => {
    const startedAt = performance.now()
    const target = findTarget(request.url)
    if (target === null) return unanswered('endpoint url not allowed', 0)

    const deadline = new Deadline(request.timeoutMs, request.signal)
    try {
      const resolution = await deadline.within(resolve(target.host, target.mayBePrivate))
      if (!resolution.ok) {
        return unanswered(
          resolution.reason === 'dns' ? 'host name not found' : 'address not public',
          elapsed(startedAt),
        )
      }
      const response = await sendToAddress(target, resolution.addresses, request, deadline.signal)
      const durationMs = elapsed(startedAt)
      deadline.shorten(maxBodyMs)
      return toResponseResult(response.status, durationMs, await readResponseBody(response))
    } catch (error) {
      return toErrorResult(error, deadline, startedAt)
    } finally {
      deadline.clear()
    }
  }
}

const elapsed = (startedAt: number): number => Math.round(performance.now() - startedAt)

const unanswered = (error: UnansweredError, durationMs: number): AttemptResult => ({
  kind: 'unanswered',
  statusCode: null,
  error,
  durationMs,
  responseBody: null,
})

const toResponseResult = (statusCode: number, durationMs: number, responseBody: string): AttemptResult => {
  if (statusCode < 200) return unanswered('answer not valid HTTP', durationMs)
  if (statusCode >= 200 && statusCode < 300) {
    return { kind: 'delivered', statusCode, error: null, durationMs, responseBody }
  }
  const isRedirect = statusCode >= 300 && statusCode < 400
  const error = isRedirect ? 'redirected; redirects are not followed' : 'answered with a status other than 2xx'
  return { kind: 'refused', statusCode, error, durationMs, responseBody }
}

const toErrorResult = (error: unknown, deadline: Deadline, startedAt: number): AttemptResult => {
  if (deadline.endedBy === 'shutdown') {
    return { kind: 'interrupted', statusCode: null, error: null, durationMs: elapsed(startedAt), responseBody: null }
  }
  const reason = deadline.endedBy === 'time' ? 'timed out' : describeError(error)
  if (reason === null) throw error
  return unanswered(reason, elapsed(startedAt))
}

/** Errors of this process or machine, which cannot open more files. They are not the fault of the receiver. */
const localErrorCodes = new Set(['EMFILE', 'ENFILE'])

/**
 * Maps an error of `runtime.post` to a reason. Returns null if the receiver did not cause it: errors caused by a
 * receiver always have a code.
 */
const describeError = (error: unknown): UnansweredError | null => {
  const code = errorCode(error)
  if (code === null || localErrorCodes.has(code)) return null
  return errorPatterns.find(([pattern]) => pattern.test(code))?.[1] ?? 'connection failed'
}

const errorCode = (error: unknown): string | null => {
  if (!(error instanceof Error)) return null
  if ('code' in error && typeof error.code === 'string') return error.code
  return errorCode(error.cause)
}

/** The first match applies. Codes of failed handshakes may also contain the word for a certificate. */
const errorPatterns: readonly (readonly [RegExp, UnansweredError])[] = [
  [/^(?:ECONNRESET|EPIPE|ECONNABORTED)$/, 'connection closed before an answer'],
  [/^ECONNREFUSED$/, 'connection refused'],
  [/^(?:ENETUNREACH|EHOSTUNREACH|ENETDOWN|EHOSTDOWN|EADDRNOTAVAIL|EACCES|EPERM)$/, 'address not reachable'],
  [/^ETIMEDOUT$|TIMEOUT/i, 'timed out'],
  [/^EPROTO$|^ERR_SSL/, 'TLS handshake failed'],
  [
    /CERT|CRL|VERIFY|ISSUER|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH/,
    'certificate not valid for this host',
  ],
  [/HTTP|Header|Content|Upgrade|Transfer|Chunk|HPE_/, 'answer not valid HTTP'],
]

/** A parsed endpoint URL. An attempt only inserts the address. */
interface Target {
  /** Name to resolve: a host name, or an allowed IP address without brackets. */
  host: string
  mayBePrivate: boolean
  hostHeader: string
  /** Parts of the URL before and after the address. */
  prefix: string
  suffix: string
  /** Name that the certificate must have. Undefined without TLS or for an IP address. */
  serverName: string | undefined
}

const cacheTargets = (parse: (url: string) => Target | null): ((url: string) => Target | null) => {
  const targets = new LRUCache<string, { target: Target | null }>({ max: maxTargets })
  return url => {
    const cached = targets.get(url)
    if (cached) return cached.target
    const target = parse(url)
    targets.set(url, { target })
    return target
  }
}

/**
 * Returns null if the URL is not allowed. It may have been allowed when it was stored, because the operator's list can
 * change.
 */
const parseTarget = (url: string, allowedPrivateTargets: ReadonlySet<string>): Target | null => {
  if (!validateWebhookUrl(url, allowedPrivateTargets).ok) return null
  const { protocol, hostname, host: hostHeader, port, pathname, search } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const portNumber = port || (protocol === 'https:' ? '443' : '80')
  const serverName = protocol === 'https:' && isIP(host) === 0 ? host : undefined
  return {
    host,
    mayBePrivate: allowedPrivateTargets.has(`${hostname}:${portNumber}`),
    hostHeader,
    prefix: `${protocol}//`,
    suffix: `:${portNumber}${pathname}${search}`,
    serverName,
  }
}

/**
 * Sends the request and returns the response. A receiver can close a kept-alive connection just before it is reused,
 * which looks like a reset. The request is therefore repeated once immediately; delivery is at least once in any case.
 * If an address cannot be reached, the next one is tried.
 */
const sendToAddress = async (
  target: Target,
  addresses: readonly string[],
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<RawResponse> => {
  let index = 0
  let canRepeat = true
  for (;;) {
    try {
      return await post(target, addresses[index]!, request, signal)
    } catch (error) {
      const reason = signal.aborted ? null : describeError(error)
      if (reason === 'connection closed before an answer' && canRepeat) canRepeat = false
      else if (isUnreachable(reason) && index + 1 < Math.min(addresses.length, maxAddresses)) index += 1
      else throw error
    }
  }
}

const isUnreachable = (reason: UnansweredError | null): boolean =>
  reason === 'connection refused' || reason === 'address not reachable'

const post = (target: Target, address: string, request: AttemptRequest, signal: AbortSignal): Promise<RawResponse> =>
  runtime.post({
    url: `${target.prefix}${address.includes(':') ? `[${address}]` : address}${target.suffix}`,
    serverName: target.serverName,
    headers: { ...request.headers, Host: target.hostHeader, 'Accept-Encoding': 'identity' },
    body: request.body,
    signal,
  })
