/**
 * Load over bare sockets: one request in flight on each connection, the next as soon as the answer is there. It shares
 * its processors with the service and with PostgreSQL, and what it costs is taken from them, hence no HTTP client.
 */
import { percentile } from './figures.ts'
import { clock } from './programs.ts'

export interface Load {
  port: number
  connections: number
  /** Before measuring begins. */
  warmUpSeconds: number
  seconds: number
}

export interface LoadResult {
  /** Requests answered within the measured time. */
  answered: number
  seconds: number
  /** Milliseconds from the request to its answer. */
  p50: number
  p99: number
  max: number
  /** Every answer, those of the warming up included. */
  answeredInAll: number
  /** By `clock()`, when the first request was sent. */
  beganAt: number
}

/** Writes a number with leading zeros into the bytes of a request. */
export const writeDigits = (bytes: Buffer, value: number, at: number, digits: number): void => {
  bytes.write(String(value).padStart(digits, '0'), at, 'latin1')
}

/** One request of HTTP/1.1, with the body as JSON where there is one. */
export const requestText = (method: string, path: string, headers: Record<string, string>, body?: string): string => {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'User-Agent: shop/1.0']
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body !== undefined)
    lines.push('Content-Type: application/json', `Content-Length: ${new TextEncoder().encode(body).length}`)
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/**
 * Sends `request` on every connection over and over; `fillIn` may write into its bytes before each time. Rejects as soon
 * as anything is answered with another status.
 */
export const hammer = async (
  load: Load,
  request: string,
  status: number,
  fillIn: (bytes: Buffer) => void = () => {},
): Promise<LoadResult> => {
  const hammering = new Hammering(status, fillIn)
  const beganAt = clock()
  const ended = Array.from({ length: load.connections }, () => hammering.connect(load.port, Buffer.from(request)))
  // A failure ends the run at once, whatever it is waiting for.
  const failed = Promise.all(ended).then(() => new Promise<never>(() => {}))
  await Promise.race([Bun.sleep(load.warmUpSeconds * 1000), failed])
  const from = performance.now()
  hammering.measuring = true
  await Promise.race([Bun.sleep(load.seconds * 1000), failed])
  hammering.measuring = false
  const seconds = (performance.now() - from) / 1000
  const waits = hammering.waits.slice()
  hammering.ending = true
  await Promise.all(ended)
  return {
    answered: waits.length,
    seconds,
    p50: percentile(waits, 0.5),
    p99: percentile(waits, 0.99),
    max: percentile(waits, 1),
    answeredInAll: hammering.answered,
    beganAt,
  }
}

class Hammering {
  readonly waits: number[] = []
  answered = 0
  measuring = false
  ending = false

  constructor(
    private readonly status: number,
    private readonly fillIn: (bytes: Buffer) => void,
  ) {}

  /** Resolves once the connection has had its last answer. */
  connect(port: number, request: Buffer): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let sentAt = 0
    let received: Buffer = Buffer.alloc(0)
    const send = (socket: Bun.Socket) => {
      this.fillIn(request)
      sentAt = performance.now()
      const written = socket.write(request)
      if (written !== request.length) reject(new Error('a request did not fit the socket'))
    }
    Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        open: send,
        data: (socket, chunk) => {
          received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
          const length = lengthOfAnswer(received)
          if (length === null || received.length < length) return
          if (received.toString('latin1', 9, 12) !== String(this.status)) {
            reject(new Error(`not answered with ${this.status}: ${received.toString()}`))
            return
          }
          this.answered++
          if (this.measuring) this.waits.push(performance.now() - sentAt)
          received = Buffer.alloc(0)
          if (!this.ending) return send(socket)
          resolve()
          socket.end()
        },
        close: () => reject(new Error('the service closed a connection')),
        error: (_, error) => reject(error),
      },
    }).catch(reject)
    return promise
  }
}

/** Of head and body together; null while the head is not complete. */
const lengthOfAnswer = (received: Buffer): number | null => {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return null
  const length = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, end))
  if (!length) throw new Error('an answer without Content-Length')
  return end + 4 + Number(length[1])
}
