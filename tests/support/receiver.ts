import { createHmac } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { faultOfDelivery } from './audit.ts'

/** A request as it came in over the wire. */
export interface ReceivedRequest {
  method: string
  path: string
  /** Names in lower case. */
  headers: Record<string, string>
  /** As text, exactly the bytes that were signed. */
  body: string
  /** Counts from 1: requests with the same number came over one connection, kept alive. */
  connection: number
  receivedAt: Date
}

/**
 * What the receiver does once a request is in. It speaks through the bare socket, so that it can misbehave in ways
 * no HTTP server allows.
 */
export type Behaviour = (socket: Socket, request: ReceivedRequest) => void

/** A webhook receiver on loopback. */
export interface Receiver {
  /** Where to deliver, with `127.0.0.1` (`https:` when it was given a certificate) and the path `/hook`. */
  url: string
  port: number
  /** `127.0.0.1:port`, for WEBHOOK_ALLOWED_PRIVATE_TARGETS. */
  target: string
  /** All of them so far, in the order they came in. */
  requests: readonly ReceivedRequest[]
  /** Connections made so far, whether or not a request followed. */
  readonly connections: number
  /** Connections open at the moment. */
  readonly openConnections: number
  /** One behaviour for each request from now on; the last is for all that follow. */
  behave(...behaviours: [Behaviour, ...Behaviour[]]): void
  /**
   * Resolves with all requests once there are that many, or once the condition holds; rejects after `timeoutMs`, and
   * when a delivery was not what is published.
   */
  waitFor(
    condition: number | ((receiver: Receiver) => boolean),
    timeoutMs?: number,
  ): Promise<readonly ReceivedRequest[]>
  /** Closes every connection, whatever it is in the middle of. Rejects when a delivery was not what is published. */
  stop(): Promise<void>
}

/** Starts a receiver that answers 200 until it is told to behave otherwise. */
export const startReceiver = async (
  options: { behaviour?: Behaviour; tls?: { key: string; cert: string } } = {},
): Promise<Receiver> => {
  let behaviours: Behaviour[] = [options.behaviour ?? respond()]
  const requests: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  const waiting = new Set<() => void>()
  const faults: string[] = []
  let connections = 0
  const lookAgain = () => {
    for (const look of waiting) look()
  }

  const accept = (socket: Socket) => {
    const connection = ++connections
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      lookAgain()
    })
    readRequests(socket, connection, request => {
      requests.push(request)
      const type = request.headers['x-service-event']
      const fault = type === undefined ? null : faultOfDelivery(type, request.body)
      if (fault !== null) faults.push(fault)
      const behaviour = behaviours.length > 1 ? behaviours.shift()! : behaviours[0]!
      behaviour(socket, request)
      lookAgain()
    })
    lookAgain()
  }
  const server = options.tls ? createTlsServer(options.tls, accept) : createServer(accept)
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }

  const receiver: Receiver = {
    url: `http${options.tls ? 's' : ''}://127.0.0.1:${port}/hook`,
    port,
    target: `127.0.0.1:${port}`,
    requests,
    get connections() {
      return connections
    },
    get openConnections() {
      return sockets.size
    },
    behave(...next) {
      behaviours = next
    },
    waitFor: (condition, timeoutMs = 20_000) =>
      new Promise((resolve, reject) => {
        const holds = () => (typeof condition === 'number' ? requests.length >= condition : condition(receiver))
        const giveUp = setTimeout(() => {
          waiting.delete(look)
          reject(new Error(`Waited ${timeoutMs} ms for ${condition}; ${requests.length} requests came in.`))
        }, timeoutMs)
        const look = () => {
          if (faults.length === 0 && !holds()) return
          waiting.delete(look)
          clearTimeout(giveUp)
          if (faults.length > 0) reject(new Error(faults[0]))
          else resolve(requests)
        }
        waiting.add(look)
        look()
      }),
    async stop() {
      const closed = new Promise<void>(done => server.close(() => done()))
      for (const socket of sockets) socket.destroy()
      await closed
      if (faults.length > 0) throw new Error(faults[0])
    },
  }
  return receiver
}

/** Takes requests with a declared length off a connection, one after the other. */
const readRequests = (socket: Socket, connection: number, handle: (request: ReceivedRequest) => void) => {
  let buffered = Buffer.alloc(0)
  socket.on('data', chunk => {
    buffered = Buffer.concat([buffered, chunk])
    for (;;) {
      const headEnd = buffered.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const [requestLine = '', ...headerLines] = buffered.subarray(0, headEnd).toString('latin1').split('\r\n')
      const headers = Object.fromEntries(headerLines.map(headerFrom))
      const end = headEnd + 4 + Number(headers['content-length'] ?? 0)
      if (buffered.length < end) return
      const [method = '', path = ''] = requestLine.split(' ')
      const body = buffered.subarray(headEnd + 4, end).toString()
      buffered = buffered.subarray(end)
      handle({ method, path, headers, body, connection, receivedAt: new Date() })
    }
  })
}

const headerFrom = (line: string): [string, string] => {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}

const head = (status: number, headers: Record<string, string | number>): string =>
  [`HTTP/1.1 ${status} Scripted`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', ''].join(
    '\r\n',
  )

/** Answers as it should, and keeps the connection. */
export const respond =
  (status = 200, body: string | Uint8Array = 'ok', headers: Record<string, string> = {}): Behaviour =>
  socket => {
    const length: Record<string, number> =
      status === 204 || status === 304 ? {} : { 'Content-Length': Buffer.byteLength(body) }
    socket.write(head(status, { ...length, ...headers }))
    if ('Content-Length' in length) socket.write(body)
  }

/** Answers with a redirect. */
export const redirect = (location: string, status = 302): Behaviour => respond(status, 'moved', { Location: location })

/** Takes the request and never answers. */
export const hang = (): Behaviour => () => {}

/** Takes the request and closes the connection without a word. */
export const closeBeforeAnswer = (): Behaviour => socket => socket.destroy()

/** Closes a connection when it is used again, which is how one that the receiver has dropped meanwhile looks. */
export const closeOnReuse = (): Behaviour => {
  const used = new WeakSet<Socket>()
  return (socket, request) => {
    if (used.has(socket)) return void socket.destroy()
    used.add(socket)
    respond()(socket, request)
  }
}

/** Sends the status line, headers and the beginning of a body, and closes the connection. */
export const closeAfterHeaders =
  (status = 200, beginning = 'beginn'): Behaviour =>
  socket =>
    socket.end(head(status, { 'Content-Length': 100 }) + beginning)

/** Sends the status line, headers and the beginning of a body, and then nothing more. */
export const hangAfterHeaders =
  (status = 200, beginning = 'beginn'): Behaviour =>
  socket => {
    const size = Buffer.byteLength(beginning).toString(16)
    socket.write(`${head(status, { 'Transfer-Encoding': 'chunked' })}${size}\r\n${beginning}\r\n`)
  }

/** Begins a body of declared length and never goes on. */
export const hangInDeclaredBody =
  (status = 200): Behaviour =>
  socket =>
    socket.write(`${head(status, { 'Content-Length': 100 })}beginn`)

/** Sends the headers one by one, with a pause after each, and never comes to their end. */
export const slowHeaders =
  (pauseMs = 20): Behaviour =>
  socket => {
    socket.write('HTTP/1.1 200 Scripted\r\n')
    const timer = setInterval(() => socket.write('X-More: to come\r\n'), pauseMs)
    socket.on('close', () => clearInterval(timer))
  }

/** Sends a body as fast as it is taken, for as long as the connection lasts; further headers may lie about it. */
export const endlessBody =
  (status = 200, headers: Record<string, string> = {}): Behaviour =>
  socket => {
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
    const pour = () => {
      while (!socket.destroyed) if (!socket.write(chunk)) return void socket.once('drain', pour)
    }
    socket.write(head(status, { ...headers, 'Transfer-Encoding': 'chunked' }))
    pour()
  }

/** Announces an answer over and over, and never gives one. */
export const interimAnswers =
  (pauseMs = 20): Behaviour =>
  socket => {
    const timer = setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), pauseMs)
    socket.on('close', () => clearInterval(timer))
  }

/** Answers with a small compressed body that would expand to that many MiB. */
export const gzipBomb = (mebibytes = 64): Behaviour => {
  const bomb = gzipSync(Buffer.alloc(mebibytes * 1024 * 1024))
  return respond(200, bomb, { 'Content-Encoding': 'gzip' })
}

/** Answers with exactly these bytes and closes the connection. */
export const raw =
  (bytes: string | Uint8Array): Behaviour =>
  socket =>
    socket.end(bytes)

/**
 * Checks a delivery the way a receiver does that was written from the contract alone (contract 13.2).
 *
 * @param header the value of `X-Service-Signature`
 * @param body the request body as it was received
 * @param secret the endpoint's secret
 * @param now unix seconds
 */
export const verifySignature = (header: string, body: string, secret: string, now: number): boolean => {
  const fields = header.split(',').map(field => field.split('=', 2) as [string, string | undefined])
  const time = fields.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^[0-9]+$/.test(time) || Math.abs(now - Number(time)) > 300) return false
  const mac = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  return fields.some(([name, value]) => name === 'v1' && value !== undefined && isSame(value, mac))
}

/** Takes the same time wherever the two differ. */
const isSame = (left: string, right: string): boolean => {
  if (left.length !== right.length) return false
  let difference = 0
  for (let index = 0; index < left.length; index++) difference |= left.charCodeAt(index) ^ right.charCodeAt(index)
  return difference === 0
}
