/** What Deno does in its own way: it serves by itself, and sends by `node:http`, whose connections can be pinned. */
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type {
  Answer,
  DirectOptions,
  NamedRequest,
  PinnedPost,
  Runtime,
  ServeOptions,
  Server,
} from './runtime-interface.ts'

/** The part of the global `Deno` that is used here: its types are not among ours. */
declare const Deno: {
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

/** Ignores `keepAliveMs`: Deno never closes an idle connection by itself, and has no option for it. */
const serve = ({ host, port, fetch }: ServeOptions): Server => {
  const addresses = new WeakMap<Request, string>()
  let pending = 0
  const answered = () => {
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
      completed.then(answered, answered)
      return fetch(request)
    },
  )
  return {
    port: server.addr.port,
    addressOf: request => addresses.get(request) ?? 'unknown',
    get pending() {
      return pending
    },
    // Closing cannot be hastened: a connection whose request never comes whole lasts as long as the process.
    stop: async now => {
      const closed = server.shutdown()
      if (!now) await closed
    },
  }
}

/** The signal of the request tells only later what became of its connection. */
const brokeOff = (_: Request, error: unknown): boolean => error instanceof Error && error.name === 'BadResource'

/** `fetch` takes neither a server name nor an answer as it was sent: it drops both options without a word. */
const post = async (request: PinnedPost): Promise<Answer> => answerOf(await send({ ...request, method: 'POST' }))

/** Nor does `fetch` keep from repeating: it sends a POST anew when a connection kept alive ends without an answer. */
const ask = async (request: NamedRequest): Promise<Answer> => answerOf(await send({ ...request, agents: unshared }))

const answerOf = (message: IncomingMessage): Answer => {
  const { headers, body } = responseFrom(message)
  // Receivers answer with any number for a status; a Response takes only some.
  return { status: message.statusCode!, headers, body, arrayBuffer: () => new Response(body).arrayBuffer() }
}

const fetchDirectly = async (url: string, { method = 'GET', ...options }: DirectOptions = {}): Promise<Response> => {
  const message = await send({ url, method, ...options })
  return responseFrom(message, message.statusCode)
}

interface Sent extends DirectOptions {
  url: string
  method: string
  serverName?: string | undefined
  agents?: Agents
}

/** By the scheme of the URL. */
interface Agents {
  http: HttpAgent
  https: HttpAgent
}

/** They keep connections by address, port and server name, and give up those that nobody has used for a while. */
const kept = { keepAlive: true, timeout: 60_000 }

/**
 * Deno sends a request once more by itself when the connection was used before and ends without an answer, even where
 * it was ended from here because the time was over. Whether to repeat is for the caller to say.
 */
const withoutRepeats = (agent: HttpAgent): HttpAgent => {
  const reuse = agent.reuseSocket.bind(agent)
  agent.reuseSocket = (socket, request) => {
    reuse(socket, request)
    request.reusedSocket = false
  }
  return agent
}

const shared: Agents = { http: withoutRepeats(new HttpAgent(kept)), https: withoutRepeats(new HttpsAgent(kept)) }

/** For each request a connection of its own. */
const unshared: Agents = { http: new HttpAgent({ keepAlive: false }), https: new HttpsAgent({ keepAlive: false }) }

/** Resolves with the answer whose body is still to come. */
const send = ({ url, method, headers, body, signal, serverName, agents = shared }: Sent): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const request = outgoing({ url, method, headers, serverName, agents })
    const abort = () => request.destroy(signal!.reason)
    signal?.addEventListener('abort', abort)
    request.on('close', () => signal?.removeEventListener('abort', abort))
    request.on('response', resolve)
    request.on('error', reject)
    request.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(notHttp('The protocol was changed, though nobody asked.'))
    })
    request.end(body)
  })

const outgoing = ({ url, method, headers, serverName, agents }: Sent & { agents: Agents }) => {
  // Lenient where a length is declared beside chunks: which of them counts is settled, and fetch takes it too.
  const options = { method, headers, insecureHTTPParser: true }
  try {
    return url.startsWith('https:')
      ? requestHttps(url, { ...options, agent: agents.https, servername: serverName })
      : requestHttp(url, { ...options, agent: agents.http })
  } catch (error) {
    // Its code would blame the other side.
    throw new TypeError(error instanceof Error ? error.message : String(error))
  }
}

/** With a code as the parser's own. */
const notHttp = (message: string): Error => Object.assign(new Error(message), { code: 'HPE_REFUSED' })

const responseFrom = (message: IncomingMessage, status = 200): Response => {
  const hasBody = status !== 204 && status !== 304
  return new Response(hasBody ? bodyOf(message) : null, { status, headers: headersOf(message) })
}

const headersOf = (message: IncomingMessage): Headers => {
  try {
    return new Headers(Object.entries(message.headers).map(([name, value]) => [name, String(value)]))
  } catch {
    message.destroy()
    throw notHttp('A header holds what none may.')
  }
}

/** Read as fast as it is asked for; cancelled, it takes its connection along. */
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

const packPage = async () => {
  throw new Error('Deno does not bundle pages.')
}

export const deno: Runtime = { serve, brokeOff, post, ask, fetchDirectly, pageFiles, packPage }
