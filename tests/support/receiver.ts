import { createHmac } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { faultOfDelivery } from './audit.ts'

/** A request as received from the network. */
export interface ReceivedRequest {
  method: string
  path: string
  /** Headers with lower-case names. */
  headers: Record<string, string>
  /** Body as text, exactly the signed bytes. */
  body: string
  /** Connection number, from 1. Requests with the same number shared one keep-alive connection. */
  connection: number
  receivedAt: Date
}

/**
 * The receiver's reaction to a request. It writes to the raw socket, so it can violate HTTP in ways that no HTTP server
 * allows.
 */
export type Behaviour = (socket: Socket, request: ReceivedRequest) => void

/** A webhook receiver on loopback. */
export interface Receiver {
  /** Delivery URL with `127.0.0.1` and the path `/hook`. Uses `https:` if the receiver has a certificate. */
  url: string
  port: number
  /** `127.0.0.1:port`, for WEBHOOK_ALLOWED_PRIVATE_TARGETS. */
  target: string
  /** All requests so far, in the order of arrival. */
  requests: readonly ReceivedRequest[]
  /** Number of connections so far, with or without a request. */
  readonly connections: number
  /** Number of currently open connections. */
  readonly openConnections: number
  /** Sets one behaviour for each request from now on. The last applies to all later requests. */
  behave(...behaviours: [Behaviour, ...Behaviour[]]): void
  /**
   * Resolves with all requests when their number is reached or the condition holds. Rejects after `timeoutMs`, or if a
   * delivery differs from the published document.
   */
  waitFor(
    condition: number | ((receiver: Receiver) => boolean),
    timeoutMs?: number,
  ): Promise<readonly ReceivedRequest[]>
  /**
   * Closes every connection, even in the middle of a request. Rejects if a delivery differed from the published
   * document.
   */
  stop(): Promise<void>
}

/** Starts a receiver that answers 200 until its behaviour is changed. */
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

/** Reads requests with a declared length from a connection, one after the other. */
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

/** Sends a complete answer and keeps the connection open. */
export const respond =
  (status = 200, body: string | Uint8Array = 'ok', headers: Record<string, string> = {}): Behaviour =>
  socket => {
    const length: Record<string, number> =
      status === 204 || status === 304 ? {} : { 'Content-Length': Buffer.byteLength(body) }
    socket.write(head(status, { ...length, ...headers }))
    if ('Content-Length' in length) socket.write(body)
  }

/** Sends a redirect. */
export const redirect = (location: string, status = 302): Behaviour => respond(status, 'moved', { Location: location })

/** Reads the request and never answers. */
export const hang = (): Behaviour => () => {}

/** Reads the request and closes the connection without an answer. */
export const closeBeforeAnswer = (): Behaviour => socket => socket.destroy()

/** Closes a connection when it is used again, as if the receiver had dropped the idle connection. */
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

/** Sends the status line, headers and the beginning of a body, then stops sending. */
export const hangAfterHeaders =
  (status = 200, beginning = 'beginn'): Behaviour =>
  socket => {
    const size = Buffer.byteLength(beginning).toString(16)
    socket.write(`${head(status, { 'Transfer-Encoding': 'chunked' })}${size}\r\n${beginning}\r\n`)
  }

/** Begins a body of declared length and stops sending. */
export const hangInDeclaredBody =
  (status = 200): Behaviour =>
  socket =>
    socket.write(`${head(status, { 'Content-Length': 100 })}beginn`)

/** Sends endless headers one by one, with a pause after each. */
export const slowHeaders =
  (pauseMs = 20): Behaviour =>
  socket => {
    socket.write('HTTP/1.1 200 Scripted\r\n')
    const timer = setInterval(() => socket.write('X-More: to come\r\n'), pauseMs)
    socket.on('close', () => clearInterval(timer))
  }

/** Sends an endless body until the connection closes. Additional headers can contradict the body. */
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

/** Sends interim responses repeatedly and never a final one. */
export const interimAnswers =
  (pauseMs = 20): Behaviour =>
  socket => {
    const timer = setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), pauseMs)
    socket.on('close', () => clearInterval(timer))
  }

/** Answers with a small compressed body that expands to `mebibytes` MiB. */
export const gzipBomb = (mebibytes = 64): Behaviour => {
  const bomb = gzipSync(Buffer.alloc(mebibytes * 1024 * 1024))
  return respond(200, bomb, { 'Content-Encoding': 'gzip' })
}

/** Sends exactly these bytes and closes the connection. */
export const raw =
  (bytes: string | Uint8Array): Behaviour =>
  socket =>
    socket.end(bytes)

/**
 * Verifies a delivery like a receiver that was written from the contract alone (contract 13.2).
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

/**
 * Verifies a delivery like a library of Standard Webhooks that was written from contract 13.5 alone.
 *
 * @param headers headers with lower-case names
 * @param body the request body as it was received
 * @param secret the endpoint's secret
 * @param now unix seconds
 */
export const verifyStandard = (headers: Record<string, string>, body: string, secret: string, now: number): boolean => {
  const { 'webhook-id': id, 'webhook-timestamp': time = '', 'webhook-signature': signatures = '' } = headers
  if (!id || !/^[0-9]+$/.test(time) || Math.abs(now - Number(time)) > 300) return false
  const key = Uint8Array.from(atob(secret.slice(6).replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0))
  const mac = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')
  return signatures.split(' ').some(one => isSame(one, `v1,${mac}`))
}

/** Compares in constant time, independent of where the texts differ. */
const isSame = (left: string, right: string): boolean => {
  if (left.length !== right.length) return false
  let difference = 0
  for (let index = 0; index < left.length; index++) difference |= left.charCodeAt(index) ^ right.charCodeAt(index)
  return difference === 0
}
