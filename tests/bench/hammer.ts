/**
 * Load generator over raw sockets with one request in flight per connection. It shares the processors with the service
 * and PostgreSQL, so an HTTP client would cost too much.
 */
import { percentile } from './figures.ts'
import { clock } from './programs.ts'

export interface Load {
  port: number
  connections: number
  /** Warm-up before the measurement. */
  warmUpSeconds: number
  seconds: number
}

export interface LoadResult {
  /** Requests answered within the measured time. */
  answered: number
  seconds: number
  /** Milliseconds from a request to its answer. */
  p50: number
  p99: number
  max: number
  /** Number of all answers, including those of the warm-up. */
  answeredInAll: number
  /** Time of the first request, by `clock()`. */
  beganAt: number
}

/** Writes a number with leading zeros into the bytes of a request. */
export const writeDigits = (bytes: Buffer, value: number, at: number, digits: number): void => {
  bytes.write(String(value).padStart(digits, '0'), at, 'latin1')
}

/** Returns the text of an HTTP/1.1 request. A body is sent as JSON. */
export const requestText = (method: string, path: string, headers: Record<string, string>, body?: string): string => {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'User-Agent: shop/1.0']
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body !== undefined)
    lines.push('Content-Type: application/json', `Content-Length: ${new TextEncoder().encode(body).length}`)
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/**
 * Sends `request` repeatedly on every connection. `fillIn` can change its bytes before each time. Rejects on the first
 * answer with another status.
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
  // A failure ends the run immediately.
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

  /** Resolves when the connection has received its last answer. */
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

/** Returns the length of head and body, or null while the head is incomplete. */
const lengthOfAnswer = (received: Buffer): number | null => {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return null
  const length = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, end))
  if (!length) throw new Error('an answer without Content-Length')
  return end + 4 + Number(length[1])
}
