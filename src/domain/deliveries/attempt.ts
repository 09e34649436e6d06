import { isIP } from 'node:net'
import { type Answer, runtime } from '../../platform/runtime.ts'
import { judgeWebhookUrl, type Resolve } from '../endpoints/index.ts'

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

/** Bytes of a body that are read; with more to come, the connection is given up. */
const maxReadBytes = 64 * 1024

/** Bytes of a body that are kept for the person who looks into the delivery. */
const maxKeptBytes = 1024

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

/** The words for an error of the runtime's `post`, or null when it is no receiver's fault: those all carry a code. */
const phraseFor = (error: unknown): UnansweredError | null => {
  const code = codeOf(error)
  if (code === null) return null
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

/**
 * The beginning of the body as text that can be stored. However the body ends, the answer stands. It is read to the
 * end or cancelled, because a body left alone keeps its connection for good.
 */
const readBeginning = async (response: Answer): Promise<string> => {
  try {
    return isShort(response.headers) ? await readWhole(response) : await readByChunks(response)
  } catch {
    return ''
  }
}

/**
 * Whether the body is known not to exceed the limit. A declared length binds the connection, unless the body is sent
 * in chunks, which then says where it ends.
 */
const isShort = (headers: Headers): boolean => {
  const length = headers.get('content-length')
  return length !== null && Number(length) <= maxReadBytes && !headers.has('transfer-encoding')
}

/** For nearly every receiver: a reader costs as much again as the rest of an attempt. */
const readWhole = async (response: Answer): Promise<string> =>
  storable(new Uint8Array(await response.arrayBuffer()).subarray(0, maxKeptBytes))

const readByChunks = async (response: Answer): Promise<string> => {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  let beginning = new Uint8Array(0)
  let received = 0
  try {
    while (received < maxReadBytes) {
      const { done, value } = await reader.read()
      if (done) return storable(beginning)
      received += value.byteLength
      if (beginning.byteLength < maxKeptBytes) beginning = joined(beginning, value)
    }
  } catch {
    return storable(beginning)
  }
  reader.cancel().catch(() => {})
  return storable(beginning)
}

const joined = (head: Uint8Array<ArrayBuffer>, tail: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
  if (head.byteLength === 0) return tail.subarray(0, maxKeptBytes)
  const whole = new Uint8Array(Math.min(head.byteLength + tail.byteLength, maxKeptBytes))
  whole.set(head)
  whole.set(tail.subarray(0, whole.byteLength - head.byteLength), head.byteLength)
  return whole
}

/**
 * PostgreSQL stores neither invalid UTF-8 nor U+0000: both become U+FFFD. Of what was cut off, a character whose end is
 * missing goes: a decoder that is told that more follows keeps it to itself.
 */
const storable = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes, { stream: bytes.byteLength === maxKeptBytes }).replaceAll('\0', '\ufffd')

/**
 * The end of an attempt's time: one timer over all of its stages, and the shutdown of the process beside it. After
 * `clear()` neither timer nor listener is left behind.
 */
class Deadline {
  private readonly controller = new AbortController()
  private readonly endsAt: number
  private timer: ReturnType<typeof setTimeout>

  /** What has ended the attempt, if anything has. */
  endedBy: 'time' | 'shutdown' | null = null

  constructor(
    timeoutMs: number,
    private readonly shutdown: AbortSignal | undefined,
  ) {
    this.endsAt = performance.now() + timeoutMs
    this.timer = setTimeout(this.onTime, timeoutMs)
    if (shutdown === undefined) return
    if (shutdown.aborted) this.onShutdown()
    else shutdown.addEventListener('abort', this.onShutdown)
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** Waits for work that cannot be aborted no longer than the deadline. */
  within<T>(work: T | Promise<T>): T | Promise<T> {
    this.signal.throwIfAborted()
    if (!(work instanceof Promise)) return work
    return new Promise<T>((resolve, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true })
      work.then(resolve, reject)
    })
  }

  /** Leaves at most this many milliseconds, and never more than were left. */
  shorten(ms: number): void {
    if (this.endedBy !== null) return
    const left = this.endsAt - performance.now()
    if (left <= ms) return
    clearTimeout(this.timer)
    this.timer = setTimeout(this.onTime, ms)
  }

  clear(): void {
    clearTimeout(this.timer)
    this.shutdown?.removeEventListener('abort', this.onShutdown)
  }

  private readonly onTime = (): void => this.end('time')

  private readonly onShutdown = (): void => this.end('shutdown')

  private end(by: 'time' | 'shutdown'): void {
    this.endedBy ??= by
    this.controller.abort()
  }
}
