/** What every stand-in for a provider has: a server on loopback that keeps to the wire, unless it is told to misbehave. */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { eventually } from './world.ts'

/** A request as it came in. */
export interface WireRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

export interface WireAnswer {
  status: number
  /** Sent as JSON, a text as it is. */
  body: unknown
  headers?: Record<string, string>
}

/**
 * How a stand-in treats a request. `take` does what the provider would do with it, once: it judges, records what it
 * accepts, and says what there is to answer.
 */
export type Mood = (response: ServerResponse, take: () => WireAnswer) => void | Promise<void>

const send = (response: ServerResponse, { status, body, headers }: WireAnswer): void => {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

const pause = (ms: number) => new Promise<void>(over => setTimeout(over, ms))

/** As documented. */
export const well: Mood = (response, take) => send(response, take())

/** As documented, but only after so long. */
export const slow =
  (ms: number): Mood =>
  async (response, take) => {
    await pause(ms)
    send(response, take())
  }

/** Takes nothing, and says this. */
export const answering =
  (answer: WireAnswer): Mood =>
  response =>
    send(response, answer)

/** Takes the request, whatever it does with it, and never answers. */
export const acceptAndHang: Mood = (_, take) => void take()

/** Takes the request and closes the connection without a word. */
export const acceptAndClose: Mood = (response, take) => {
  take()
  response.socket?.destroy()
}

/** Takes the request, and answers what nobody can read. */
export const nonsense =
  (body: unknown = '<html><body>It works!</body></html>', status = 200): Mood =>
  (response, take) => {
    take()
    send(response, { status, body })
  }

/** Takes the request, and answers so much that nobody reads all of it. */
export const endless: Mood = (response, take) => {
  take()
  response.writeHead(200, { 'Content-Type': 'application/json' })
  const piece = `"${'x'.repeat(16_000)}",`
  const pour = () => {
    while (!response.destroyed) if (!response.write(piece)) return void response.once('drain', pour)
  }
  response.write('[')
  pour()
}

/** Takes the request, begins to answer, and never comes to the end. */
export const hangInAnswer: Mood = (response, take) => {
  const { status, body } = take()
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.write(JSON.stringify(body).slice(0, 10))
}

/** Takes the request, and answers only when this has been done: a callback, for instance, that overtakes the answer. */
export const answerAfter =
  (act: () => unknown): Mood =>
  async (response, take) => {
    const answer = take()
    await act()
    send(response, answer)
  }

/** What a callback was answered. */
export interface CallbackReply {
  status: number
  contentType: string | null
  body: string
}

export interface StandIn {
  /** The base address of its interface. */
  apiUrl: string
  /** All requests so far, refused ones too. */
  requests: readonly WireRequest[]
  /** One mood for each request from now on; the last is for all that follow. */
  behave(...moods: [Mood, ...Mood[]]): void
  /** Listens no more: whoever comes is refused a connection. */
  down(): Promise<void>
  /** Listens again, at the same address. */
  up(): Promise<void>
  /** What its callbacks were answered so far, in the order in which they were sent. */
  replies: readonly CallbackReply[]
  stop(): Promise<void>
}

/** Starts the server; `take` is what the provider does with a request that it understands. */
export const startStandIn = async (prefix: string, take: (request: WireRequest) => WireAnswer): Promise<StandIn> => {
  let moods: Mood[] = [well]
  const requests: WireRequest[] = []
  const listener = async (
    incoming: Parameters<Parameters<typeof createServer>[1] & object>[0],
    response: ServerResponse,
  ) => {
    response.on('error', () => {})
    const url = new URL(incoming.url ?? '/', 'http://stand-in')
    const { method = 'GET', headers } = incoming
    const body = (await buffer(incoming).catch(() => Buffer.alloc(0))).toString()
    const request = { method, path: url.pathname, query: url.searchParams, headers, body }
    requests.push(request)
    const mood = moods.length > 1 ? moods.shift()! : moods[0]!
    await mood(response, () => take(request))
  }
  let server = createServer(listener)
  const listen = (port: number) =>
    new Promise<void>((listening, failed) => server.on('error', failed).listen(port, '127.0.0.1', listening))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const down = () =>
    new Promise<void>(closed => {
      server.close(() => closed())
      server.closeAllConnections()
    })
  return {
    apiUrl: `http://127.0.0.1:${port}${prefix}`,
    requests,
    behave(...next) {
      moods = next
    },
    down,
    up: async () => {
      server = createServer(listener)
      await listen(port)
    },
    replies: [],
    stop: async () => {
      if (server.listening) await down()
    },
  }
}

/** Posts a callback, and keeps what it was answered. */
export const postCallback = async (
  standIn: StandIn,
  url: string,
  headers: Record<string, string>,
  body: BodyInit,
): Promise<CallbackReply> => {
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
  const reply = {
    status: response.status,
    contentType: response.headers.get('content-type'),
    body: await response.text(),
  }
  ;(standIn.replies as CallbackReply[]).push(reply)
  return reply
}

/** Waits until so many were sent. */
export const untilSent = async <T>(sent: readonly T[], count: number, timeoutMs = 10_000): Promise<readonly T[]> => {
  await eventually(`${count} messages reach the provider`, () => sent.length >= count, timeoutMs)
  return sent
}

export const hex = (bytes: number): string => randomBytes(bytes).toString('hex')

/** What a stand-in does by itself once it has accepted a message, unless it is told nothing: the ways of a callback. */
export interface Story {
  /** In the order in which they are told, which need not be that in which they happen. */
  statuses: string[]
  /** Milliseconds before each. */
  afterMs?: number
  /** Each is told a second time at once. */
  twice?: boolean
}

/** Tells a story, as long as somebody listens. */
export const tellStory = async (
  { statuses, afterMs = 0, twice = false }: Story,
  tell: (status: string) => Promise<unknown>,
) => {
  for (const status of statuses) {
    await pause(afterMs)
    for (let times = twice ? 2 : 1; times > 0; times--) await tell(status).catch(() => {})
  }
}
