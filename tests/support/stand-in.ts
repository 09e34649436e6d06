/**
 * Shared base of the provider stand-ins: a server on loopback that follows the documented protocol unless a test
 * changes its behaviour.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { eventually } from './world.ts'

/** A request as received. */
export interface WireRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

export interface WireAnswer {
  status: number
  /** Body, sent as JSON. A string is sent unchanged. */
  body: unknown
  headers?: Record<string, string>
}

/**
 * A stand-in's reaction to a request. `take` does the provider's work once: it validates, records an accepted message
 * and returns the answer.
 */
export type Mood = (response: ServerResponse, take: () => WireAnswer) => void | Promise<void>

const send = (response: ServerResponse, { status, body, headers }: WireAnswer): void => {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

const pause = (ms: number) => new Promise<void>(over => setTimeout(over, ms))

/** Answers as documented. */
export const well: Mood = (response, take) => send(response, take())

/** Answers as documented, after a delay in milliseconds. */
export const slow =
  (ms: number): Mood =>
  async (response, take) => {
    await pause(ms)
    send(response, take())
  }

/** Ignores the request and sends this answer. */
export const answering =
  (answer: WireAnswer): Mood =>
  response =>
    send(response, answer)

/** Processes the request and never answers. */
export const acceptAndHang: Mood = (_, take) => void take()

/** Processes the request and closes the connection without an answer. */
export const acceptAndClose: Mood = (response, take) => {
  take()
  response.socket?.destroy()
}

/** Processes the request and sends an answer that cannot be parsed. */
export const nonsense =
  (body: unknown = '<html><body>It works!</body></html>', status = 200): Mood =>
  (response, take) => {
    take()
    send(response, { status, body })
  }

/** Processes the request and sends an endless answer. */
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

/** Processes the request, begins an answer and never completes it. */
export const hangInAnswer: Mood = (response, take) => {
  const { status, body } = take()
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.write(JSON.stringify(body).slice(0, 10))
}

/**
 * Processes the request and answers after `act` has completed, for example after a callback that overtakes the answer.
 */
export const answerAfter =
  (act: () => unknown): Mood =>
  async (response, take) => {
    const answer = take()
    await act()
    send(response, answer)
  }

/** The service's answer to a callback. */
export interface CallbackReply {
  status: number
  contentType: string | null
  body: string
}

export interface StandIn {
  /** Base URL of its API. */
  apiUrl: string
  /** All requests so far, including refused ones. */
  requests: readonly WireRequest[]
  /** Sets one mood for each request from now on. The last applies to all later requests. */
  behave(...moods: [Mood, ...Mood[]]): void
  /** Stops listening. New connections are refused. */
  down(): Promise<void>
  /** Listens again at the same address. */
  up(): Promise<void>
  stop(): Promise<void>
}

/** Starts the server. `take` is the provider's reaction to a valid request. */
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
    stop: async () => {
      if (server.listening) await down()
    },
  }
}

/** Posts a callback and returns the answer. */
export const postCallback = async (
  url: string,
  headers: Record<string, string>,
  body: BodyInit,
): Promise<CallbackReply> => {
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
  return { status: response.status, contentType: response.headers.get('content-type'), body: await response.text() }
}

/** Waits until `count` messages were sent. */
export const untilSent = async <T>(sent: readonly T[], count: number, timeoutMs = 10_000): Promise<readonly T[]> => {
  await eventually(`${count} messages reach the provider`, () => sent.length >= count, timeoutMs)
  return sent
}

export const hex = (bytes: number): string => randomBytes(bytes).toString('hex')
