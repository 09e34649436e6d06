/**
 * Program: sends `POST /v1/events` over bare sockets, one request in flight on each connection, the next as soon as the
 * answer is there. Requests are made by writing digits into a buffer, because it shares its processors with the service
 * and with PostgreSQL, and what it costs is taken from them.
 */
import { percentile } from './figures.ts'
import { taskOfProgram } from './programs.ts'

export interface LoadTask {
  port: number
  apiKey: string
  connections: number
  /** Before measuring begins. */
  warmUpSeconds: number
  seconds: number
  /** Customers that exist: phones `knownPhone(0)` to `knownPhone(knownCustomers - 1)`. */
  knownCustomers: number
  /** The part of the events, 0 to 1, whose phone is new and enrols a customer. */
  newShare: number
  /** Tells this call's keys and new phones from those of every other call; 0 to 99. */
  call: number
}

export interface LoadResult {
  /** Events answered with 201 within the measured time. */
  events: number
  seconds: number
  /** Milliseconds from the request to its answer. */
  p50: number
  p99: number
  max: number
  /** Every 201, that of the warming up included. */
  recorded: number
}

/** The phone of a customer that the bench has made before. */
export const knownPhone = (index: number): string => `+49151${String(index).padStart(8, '0')}`

const sequenceDigits = 8

/** Where the digits of a request lie in its buffer. */
interface Template {
  bytes: Buffer
  phoneAt: number
  orderAt: number
  keyAt: number
}

const templateOf = ({ apiKey, call }: LoadTask): Template => {
  const blank = '#'.repeat(sequenceDigits)
  const data = { orderId: `A-${blank}`, total: 129.9, currency: 'EUR', items: 3, channel: 'web' }
  const idempotencyKey = `order-${String(call).padStart(2, '0')}-${blank}-created`
  const body = JSON.stringify({ type: 'order.created', phone: `+49151${blank}`, name: 'Ana', data, idempotencyKey })
  const head = [
    'POST /v1/events HTTP/1.1',
    'Host: 127.0.0.1',
    'User-Agent: shop/1.0',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `X-API-Key: ${apiKey}`,
  ]
  const text = `${head.join('\r\n')}\r\n\r\n${body}`
  const phoneAt = text.indexOf(blank)
  const orderAt = text.indexOf(blank, phoneAt + sequenceDigits)
  return { bytes: Buffer.from(text), phoneAt, orderAt, keyAt: text.indexOf(blank, orderAt + sequenceDigits) }
}

class Load {
  readonly #template: Template
  readonly #waits: number[] = []
  readonly #newPhones: number
  #sequence = 0
  #enrolled = 0
  #measuring = false
  #ending = false
  #recorded = 0

  constructor(private readonly task: LoadTask) {
    this.#template = templateOf(task)
    this.#newPhones = 10_000_000 + task.call * 900_000
  }

  async run(): Promise<LoadResult> {
    const ended = Array.from({ length: this.task.connections }, () => this.#connect())
    await Bun.sleep(this.task.warmUpSeconds * 1000)
    const from = performance.now()
    this.#measuring = true
    await Bun.sleep(this.task.seconds * 1000)
    this.#measuring = false
    const seconds = (performance.now() - from) / 1000
    const waits = this.#waits.slice()
    this.#ending = true
    await Promise.all(ended)
    return {
      events: waits.length,
      seconds,
      p50: percentile(waits, 0.5),
      p99: percentile(waits, 0.99),
      max: percentile(waits, 1),
      recorded: this.#recorded,
    }
  }

  /** Resolves once the connection has had its last answer. */
  #connect(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const request = Buffer.from(this.#template.bytes)
    let sentAt = 0
    let received: Buffer = Buffer.alloc(0)
    const send = (socket: Bun.Socket) => {
      this.#fillIn(request)
      sentAt = performance.now()
      const written = socket.write(request)
      if (written !== request.length) reject(new Error('a request did not fit the socket'))
    }
    Bun.connect({
      hostname: '127.0.0.1',
      port: this.task.port,
      socket: {
        open: send,
        data: (socket, chunk) => {
          received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
          const length = lengthOfAnswer(received)
          if (length === null || received.length < length) return
          if (!received.toString('latin1', 9, 12).startsWith('201')) {
            reject(new Error(`not recorded: ${received.toString()}`))
            return
          }
          this.#recorded++
          if (this.#measuring) this.#waits.push(performance.now() - sentAt)
          received = Buffer.alloc(0)
          if (!this.#ending) return send(socket)
          resolve()
          socket.end()
        },
        close: () => reject(new Error('the service closed a connection')),
        error: (_, error) => reject(error),
      },
    }).catch(reject)
    return promise
  }

  #fillIn(request: Buffer): void {
    const sequence = String(this.#sequence++).padStart(sequenceDigits, '0')
    const isNew = Math.floor(this.#sequence * this.task.newShare) > this.#enrolled
    const phone = isNew ? this.#newPhones + this.#enrolled++ : Math.floor(Math.random() * this.task.knownCustomers)
    request.write(String(phone).padStart(sequenceDigits, '0'), this.#template.phoneAt, 'latin1')
    request.write(sequence, this.#template.orderAt, 'latin1')
    request.write(sequence, this.#template.keyAt, 'latin1')
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

if (import.meta.main) {
  const result = await new Load(taskOfProgram<LoadTask>()).run()
  process.stdout.write(JSON.stringify(result))
  process.exit(0)
}
