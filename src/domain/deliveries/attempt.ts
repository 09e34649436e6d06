import { isIP } from 'node:net'
import { type Answer, runtime } from '../../platform/runtime.ts'
import { judgeWebhookUrl, type Resolve } from '../endpoints/index.ts'
import { readBeginning } from './answer.ts'
import { Deadline } from './deadline.ts'

/** One request to one receiver. */
export interface AttemptRequest {
  url: string
  /** Everything but `Host` and `Accept-Encoding`, which are set here. */
  headers: Record<string, string>
  body: string
  /** For all of it together, in milliseconds: name, connection, TLS, answer. */
  timeoutMs: number
  /** Ends the attempt early because the process is stopping. */
  signal?: AbortSignal
}

/** Why there was no answer, in words for the person who owns the endpoint. The address found is never among them. */
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

/** Why an answer does not count as a delivery. */
export type RefusedError = 'redirected; redirects are not followed' | 'answered with a status other than 2xx'

/**
 * What became of one attempt: a receiver's failure is a value, and only our own bugs throw. Every kind has the same
 * fields, ready to be stored. `durationMs` (whole milliseconds) lasts until the status line was there, or until it
 * was clear that none would come; `responseBody` is the beginning of what was answered.
 *
 * - `delivered`: a 2xx answer.
 * - `refused`: any other answer.
 * - `unanswered`: no answer that can be read as HTTP.
 * - `interrupted`: ended by `signal` before an answer; the receiver may or may not have got it, so it is sent again.
 */
export type AttemptResult =
  | { kind: 'delivered'; statusCode: number; error: null; durationMs: number; responseBody: string }
  | { kind: 'refused'; statusCode: number; error: RefusedError; durationMs: number; responseBody: string }
  | { kind: 'unanswered'; statusCode: null; error: UnansweredError; durationMs: number; responseBody: null }
  | { kind: 'interrupted'; statusCode: null; error: null; durationMs: number; responseBody: null }

/** Makes one attempt. */
export type Attempt = (request: AttemptRequest) => Promise<AttemptResult>

/** What attempts need: where hosts are, and which `host:port` the operator lets them reach in private. */
export interface AttemptDeps {
  resolve: Resolve
  allowedPrivateTargets: ReadonlySet<string>
}

/** The status line has decided already; a body that trickles in must not hold the place of the next delivery. */
const maxBodyMs = 1000

/** Addresses of one host that are dialled in one attempt, each only when nobody was there at the one before it. */
const maxAddresses = 3

/** Endpoints whose URL is kept taken apart. */
const maxTargets = 4096

/**
 * Makes the function that sends deliveries, one attempt a call. It may be called any number of times at once;
 * connections are kept alive and shared between calls.
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

/** This process, or this machine, may open no more files: that says nothing of the receiver. */
const oursToMend = new Set(['EMFILE', 'ENFILE'])

/** The words for an error of the runtime's `post`, or null when it is no receiver's fault: those all carry a code. */
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

/** Read from the top: the codes of a failed handshake may name a certificate as well. */
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

/** A URL taken apart once, so that an attempt only has to put an address into it. */
interface Target {
  /** What is looked up: a host name, or an allowed IP address without brackets. */
  host: string
  mayBePrivate: boolean
  hostHeader: string
  /** The URL before the address, and after it. */
  before: string
  after: string
  /** What the certificate must name; undefined where there is none, or where it is an address. */
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

/** Null when the URL may not be called, which it may have been when it was stored: the operator's list can change. */
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
 * Sends the request until somebody answers it. A connection kept alive may have been closed by the receiver the
 * moment it was taken up again, which looks like a reset, so that is tried once more at once: delivery is at least
 * once anyway. Where nobody is at an address, the next one checked takes its place.
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
