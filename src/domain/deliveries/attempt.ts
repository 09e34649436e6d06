import { isIP } from 'node:net'
import { type Answer, runtime } from '../../platform/runtime.ts'
import { judgeWebhookUrl, type Resolve } from '../endpoints/index.ts'
import { readBeginning } from './answer.ts'
import { Deadline } from './deadline.ts'

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
  const targetOf = rememberTargets(url => targetFrom(url, allowedPrivateTargets))

  return async request => {
    const startedAt = performance.now()
    const target = targetOf(request.url)
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
      const response = await reach(target, resolution.addresses, request, deadline.signal)
      const durationMs = elapsed(startedAt)
      deadline.shorten(maxBodyMs)
      return answered(response.status, durationMs, await readBeginning(response))
    } catch (error) {
      return withoutAnswer(error, deadline, startedAt)
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

const answered = (statusCode: number, durationMs: number, responseBody: string): AttemptResult => {
  if (statusCode < 200) return unanswered('answer not valid HTTP', durationMs)
  if (statusCode >= 200 && statusCode < 300) {
    return { kind: 'delivered', statusCode, error: null, durationMs, responseBody }
  }
  const isRedirect = statusCode >= 300 && statusCode < 400
  const error = isRedirect ? 'redirected; redirects are not followed' : 'answered with a status other than 2xx'
  return { kind: 'refused', statusCode, error, durationMs, responseBody }
}

const withoutAnswer = (error: unknown, deadline: Deadline, startedAt: number): AttemptResult => {
  if (deadline.endedBy === 'shutdown') {
    return { kind: 'interrupted', statusCode: null, error: null, durationMs: elapsed(startedAt), responseBody: null }
  }
  const phrase = deadline.endedBy === 'time' ? 'timed out' : phraseFor(error)
  if (phrase === null) throw error
  return unanswered(phrase, elapsed(startedAt))
}

/** Errors of this process or machine, which cannot open more files. They are not the fault of the receiver. */
const oursToMend = new Set(['EMFILE', 'ENFILE'])

/**
 * Maps an error of `runtime.post` to a reason. Returns null if the receiver did not cause it: errors caused by a
 * receiver always have a code.
 */
const phraseFor = (error: unknown): UnansweredError | null => {
  const code = codeOf(error)
  if (code === null || oursToMend.has(code)) return null
  return phrases.find(([pattern]) => pattern.test(code))?.[1] ?? 'connection failed'
}

const codeOf = (error: unknown): string | null => {
  if (!(error instanceof Error)) return null
  if ('code' in error && typeof error.code === 'string') return error.code
  return codeOf(error.cause)
}

/** The first match applies. Codes of failed handshakes may also contain the word for a certificate. */
const phrases: readonly (readonly [RegExp, UnansweredError])[] = [
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
  before: string
  after: string
  /** Name that the certificate must have. Undefined without TLS or for an IP address. */
  serverName: string | undefined
}

const rememberTargets = (make: (url: string) => Target | null): ((url: string) => Target | null) => {
  const targets = new Map<string, Target | null>()
  return url => {
    let target = targets.get(url)
    if (target === undefined) {
      target = make(url)
      if (targets.size >= maxTargets) targets.delete(targets.keys().next().value!)
      targets.set(url, target)
    }
    return target
  }
}

/**
 * Returns null if the URL is not allowed. It may have been allowed when it was stored, because the operator's list can
 * change.
 */
const targetFrom = (url: string, allowedPrivateTargets: ReadonlySet<string>): Target | null => {
  if (!judgeWebhookUrl(url, allowedPrivateTargets).ok) return null
  const { protocol, hostname, host: hostHeader, port, pathname, search } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const portNumber = port || (protocol === 'https:' ? '443' : '80')
  const serverName = protocol === 'https:' && isIP(host) === 0 ? host : undefined
  return {
    host,
    mayBePrivate: allowedPrivateTargets.has(`${hostname}:${portNumber}`),
    hostHeader,
    before: `${protocol}//`,
    after: `:${portNumber}${pathname}${search}`,
    serverName,
  }
}

/**
 * Sends the request and returns the response. A receiver can close a kept-alive connection just before it is reused,
 * which looks like a reset. The request is therefore repeated once immediately; delivery is at least once in any case.
 * If an address cannot be reached, the next one is tried.
 */
const reach = async (
  target: Target,
  addresses: readonly string[],
  request: AttemptRequest,
  signal: AbortSignal,
): Promise<Answer> => {
  let index = 0
  let mayRepeat = true
  for (;;) {
    try {
      return await post(target, addresses[index]!, request, signal)
    } catch (error) {
      const phrase = signal.aborted ? null : phraseFor(error)
      if (phrase === 'connection closed before an answer' && mayRepeat) mayRepeat = false
      else if (isNobodyThere(phrase) && index + 1 < Math.min(addresses.length, maxAddresses)) index += 1
      else throw error
    }
  }
}

const isNobodyThere = (phrase: UnansweredError | null): boolean =>
  phrase === 'connection refused' || phrase === 'address not reachable'

const post = (target: Target, address: string, request: AttemptRequest, signal: AbortSignal): Promise<Answer> =>
  runtime.post({
    url: `${target.before}${address.includes(':') ? `[${address}]` : address}${target.after}`,
    serverName: target.serverName,
    headers: { ...request.headers, Host: target.hostHeader, 'Accept-Encoding': 'identity' },
    body: request.body,
    signal,
  })
