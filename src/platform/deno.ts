/**
 * Runtime functions for Deno. It serves with `Deno.serve` and sends with `node:http`, whose connections can be pinned
 * to an address.
 */
import { createHmac } from 'node:crypto'
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type {
  DirectOptions,
  NamedRequest,
  PinnedPost,
  RawResponse,
  Runtime,
  ServeOptions,
  Server,
} from './runtime-interface.ts'

/** Types of the part of the global `Deno` that is used here. The project does not include the types of Deno. */
declare const Deno: {
  version: { deno: string }
  serve(
    options: {
      hostname: string
      port: number
      onListen: () => void
      onError: () => Response
    },
    handler: (
      request: Request,
      info: { remoteAddr: { hostname: string }; completed: Promise<void> },
    ) => Promise<Response>,
  ): { addr: { port: number }; shutdown(): Promise<void> }
}

/** Starts a server. Ignores `keepAliveMs`, because Deno has no option for it and never closes an idle connection. */
const serve = ({ host, port, fetch }: ServeOptions): Server => {
  const addresses = new WeakMap<Request, string>()
  let pending = 0
  const onCompleted = () => {
    pending -= 1
  }
  const server = Deno.serve(
    {
      hostname: host,
      port,
      onListen: () => {},
      onError: () => new Response(null, { status: 500 }),
    },
    (request, { remoteAddr, completed }) => {
      addresses.set(request, remoteAddr.hostname)
      pending += 1
      completed.then(onCompleted, onCompleted)
      return fetch(request)
    },
  )
  return {
    port: server.addr.port,
    addressOf: request => addresses.get(request) ?? 'unknown',
    get pending() {
      return pending
    },
    // Closing cannot be forced: a connection whose request never completes stays open until the process ends.
    stop: async now => {
      const closed = server.shutdown()
      if (!now) await closed
    },
  }
}

/** Checks the error, because the signal of the request reports the lost connection only later. */
const isDisconnect = (_: Request, error: unknown): boolean => error instanceof Error && error.name === 'BadResource'

/**
 * Sends with `node:http`, because `fetch` silently ignores the options for a server name and for an unmodified
 * response.
 */
const post = async (request: PinnedPost): Promise<RawResponse> =>
  toRawResponse(await send({ ...request, method: 'POST' }))

/** Sends with `node:http`, because `fetch` sends a POST again when a kept-alive connection ends without a response. */
const fetchOnce = async (request: NamedRequest): Promise<RawResponse> =>
  toRawResponse(await send({ ...request, agents: unpooledAgents }))

const toRawResponse = (message: IncomingMessage): RawResponse => {
  const { headers, body } = toResponse(message)
  // Receivers can answer with any status number, but a Response accepts only some.
  return { status: message.statusCode!, headers, body, arrayBuffer: () => new Response(body).arrayBuffer() }
}

const fetchDirectly = async (url: string, { method = 'GET', ...options }: DirectOptions = {}): Promise<Response> => {
  const message = await send({ url, method, ...options })
  return toResponse(message, message.statusCode)
}

interface SendOptions extends DirectOptions {
  url: string
  method: string
  serverName?: string | undefined
  agents?: Agents
}

/** HTTP agents by the scheme of the URL. */
interface Agents {
  http: HttpAgent
  https: HttpAgent
}

/**
 * Options of agents that keep connections by address, port and server name. An unused connection is closed after 60
 * seconds.
 */
const agentOptions = { keepAlive: true, timeout: 60_000 }

/**
 * Disables automatic retries. Deno sends a request again when a reused connection ends without a response, even if this
 * process ended it after a timeout. Only the caller can decide whether to retry.
 */
const withoutRetries = (agent: HttpAgent): HttpAgent => {
  const reuse = agent.reuseSocket.bind(agent)
  agent.reuseSocket = (socket, request) => {
    reuse(socket, request)
    request.reusedSocket = false
  }
  return agent
}

const pooledAgents: Agents = {
  http: withoutRetries(new HttpAgent(agentOptions)),
  https: withoutRetries(new HttpsAgent(agentOptions)),
}

/** Agents that open a new connection for each request. */
const unpooledAgents: Agents = {
  http: new HttpAgent({ keepAlive: false }),
  https: new HttpsAgent({ keepAlive: false }),
}

/** Sends a request. Resolves with the response before its body has been read. */
const send = ({
  url,
  method,
  headers,
  body,
  signal,
  serverName,
  agents = pooledAgents,
}: SendOptions): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const request = createRequest({ url, method, headers, serverName, agents })
    const abort = () => request.destroy(signal!.reason)
    signal?.addEventListener('abort', abort)
    request.on('close', () => signal?.removeEventListener('abort', abort))
    request.on('response', resolve)
    request.on('error', reject)
    request.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(protocolError('The protocol was changed without a request.'))
    })
    request.end(body)
  })

const createRequest = ({ url, method, headers, serverName, agents }: SendOptions & { agents: Agents }) => {
  // The lenient parser accepts a length together with chunked encoding. HTTP defines which one applies, and `fetch`
  // accepts it too.
  const options = { method, headers, insecureHTTPParser: true }
  try {
    return url.startsWith('https:')
      ? requestHttps(url, { ...options, agent: agents.https, servername: serverName })
      : requestHttp(url, { ...options, agent: agents.http })
  } catch (error) {
    // The original error has a code, which would attribute the failure to the receiver.
    throw new TypeError(error instanceof Error ? error.message : String(error))
  }
}

/** Creates an error with a code like those of the parser. */
const protocolError = (message: string): Error => Object.assign(new Error(message), { code: 'HPE_REFUSED' })

const toResponse = (message: IncomingMessage, status = 200): Response => {
  const hasBody = status !== 204 && status !== 304
  return new Response(hasBody ? bodyOf(message) : null, { status, headers: headersOf(message) })
}

const headersOf = (message: IncomingMessage): Headers => {
  try {
    return new Headers(Object.entries(message.headers).map(([name, value]) => [name, String(value)]))
  } catch {
    message.destroy()
    throw protocolError('A header contains an invalid value.')
  }
}

/** Returns the body as a stream, read on demand. Cancelling it closes the connection. */
const bodyOf = (message: IncomingMessage): ReadableStream<Uint8Array> => {
  const chunks: AsyncIterator<Uint8Array> = message[Symbol.asyncIterator]()
  return new ReadableStream({
    pull: async controller => {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => void message.destroy(),
  })
}

const pageFiles = async () => null

const hmacSha256: Runtime['hmacSha256'] = (key, text, encoding) =>
  createHmac('sha256', key).update(text).digest(encoding)

export const deno: Runtime = {
  get name() {
    return `deno ${Deno.version.deno}`
  },
  hmacSha256,
  serve,
  isDisconnect,
  post,
  fetchOnce,
  fetchDirectly,
  pageFiles,
}
