/** Creates a client whose calls are typed by the published document, and repeated after temporary failures. */
import createTypedClient, { type Client as TypedClient } from 'openapi-fetch'
import { withIdempotencyKey } from './idempotency.js'
import { retryDelay } from './retry.js'
import type { paths } from './schema.js'

export type Client = TypedClient<paths>

export interface ClientOptions {
  /** Address of the service, such as `https://engagement.example.com`. */
  baseUrl: string
  /** API key for events and customers. Either this or `token`. */
  apiKey?: string
  /** Access token or session token of a person, for all other operations. */
  token?: string
  /** Workspace of the calls, for a person with several. */
  workspaceId?: string
  /** Maximum number of repeats of a request. Defaults to 5. */
  maxRetries?: number
  /** Maximum seconds of an attempt. Defaults to 60. */
  timeoutSeconds?: number
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>
}

/** Throws TypeError unless there is exactly one credential. */
export const createClient = (options: ClientOptions): Client => {
  const { baseUrl, apiKey, token, workspaceId, maxRetries = 5, timeoutSeconds = 60 } = options
  if ((apiKey === undefined) === (token === undefined)) throw new TypeError('Pass either apiKey or token.')
  const credential = apiKey === undefined ? { Authorization: `Bearer ${token}` } : { 'X-API-Key': apiKey }
  const fetch = options.fetch ?? (request => globalThis.fetch(request))
  return createTypedClient<paths>({
    baseUrl,
    headers: { ...credential, ...(workspaceId && { 'X-Workspace-Id': workspaceId }) },
    // A redirect could send the credential to another host.
    redirect: 'manual',
    fetch: request => send(request, { fetch, maxRetries, timeoutMs: timeoutSeconds * 1000 }),
  })
}

interface Transport {
  fetch: (request: Request) => Promise<Response>
  maxRetries: number
  timeoutMs: number
}

/** Sends a request until it has a final outcome. Every attempt has the same idempotency key. */
const send = async (request: Request, transport: Transport): Promise<Response> => {
  const { method } = request
  const given = await request.text()
  const header = request.headers.get('Idempotency-Key')
  const { body, hasKey } =
    method === 'POST'
      ? withIdempotencyKey(new URL(request.url).pathname, header, given)
      : { body: given, hasKey: false }
  for (let attempt = 0; ; attempt++) {
    const result = await attemptOnce(request, body, transport)
    if (result instanceof Error && request.signal.aborted) throw result
    const [outcome, retryAfter] =
      result instanceof Error ? (['network', null] as const) : [result.status, result.headers.get('Retry-After')]
    const repeat = { method, hasKey, attempt, outcome, retryAfter, random: Math.random(), now: Date.now() }
    const delay = retryDelay(repeat, transport.maxRetries)
    if (delay === null && result instanceof Error) throw result
    if (delay === null) return result as Response
    await pause(delay, request.signal)
  }
}

/** Returns the response with its complete body, unless it is a stream of events. Returns the error for the lack of one. */
const attemptOnce = async (
  request: Request,
  body: string,
  { fetch, timeoutMs }: Transport,
): Promise<Response | Error> => {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(new DOMException('The request timed out.', 'TimeoutError')), timeoutMs)
  try {
    const signal = AbortSignal.any([request.signal, timeout.signal])
    const response = await fetch(new Request(request, body === '' ? { signal } : { signal, body }))
    const { status, statusText, headers } = response
    if (headers.get('Content-Type')?.startsWith('text/event-stream')) return response
    // Reads the body here, because a connection that ends within it is a missing response.
    const received = await response.arrayBuffer()
    return new Response(received.byteLength === 0 ? null : received, { status, statusText, headers })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  } finally {
    clearTimeout(timer)
  }
}

/** Rejects with the reason of the signal if it is aborted. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
