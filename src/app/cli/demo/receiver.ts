/**
 * A webhook receiver, written only from the published document. It shares no code with the service, so it proves that
 * webhooks are signed as documented.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { LocalServer } from './local-server.ts'

/** First delivery of a webhook with a valid signature. */
export interface Receipt {
  id: string
  type: string
  data: Record<string, unknown>
  /** Milliseconds from `createdAt` in the body until the whole request was read. */
  ms: number
}

/** Maximum seconds between `t` of a signature and now. */
const tolerance = 300
const maxBytes = 1024 * 1024

export class WebhookReceiver extends LocalServer {
  readonly receipts: Receipt[] = []
  /** Number of webhooks that were delivered again after acceptance. At-least-once delivery allows this. */
  repeated = 0
  /** Number of rejected webhooks by reason. */
  readonly rejected = new Map<string, number>()

  readonly #listeners = new Set<(receipt: Receipt) => void>()
  readonly #seenIds = new Set<string>()
  #secret: string | null = null

  constructor() {
    super((request, response) => {
      this.#receive(request).then(
        status => response.writeHead(status).end(),
        () => response.destroy(),
      )
    })
  }

  get url(): string {
    return `http://${this.target}/webhooks`
  }

  /** Sets the secret for checking signatures. Without a secret, every webhook is rejected. */
  setSecret(secret: string): void {
    this.#secret = secret
  }

  /** Calls `listener` for each new receipt. Returns the function that removes the listener. */
  onReceipt(listener: (receipt: Receipt) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Resolves to true once that many different webhooks have arrived, and to false if the signal aborts first. */
  waitFor(count: number, signal: AbortSignal): Promise<boolean> {
    return this.waitUntil(receipts => receipts.length >= count, signal)
  }

  /** Resolves to true once the received webhooks are as expected, and to false if the signal aborts first. */
  waitUntil(condition: (receipts: readonly Receipt[]) => boolean, signal: AbortSignal): Promise<boolean> {
    return new Promise(resolve => {
      const check = () => {
        const isMet = condition(this.receipts)
        if (!isMet && !signal.aborted) return
        unsubscribe()
        signal.removeEventListener('abort', check)
        resolve(isMet)
      }
      const unsubscribe = this.onReceipt(check)
      signal.addEventListener('abort', check)
      check()
    })
  }

  /** Returns the status to answer with. The event is stored before the answer, because a success status confirms it. */
  async #receive(request: IncomingMessage): Promise<number> {
    const body = await readBody(request)
    const receivedAt = Date.now()
    const problem =
      body === null
        ? 'the body is larger than 1 MiB'
        : findSignatureProblem(
            request.headers['x-service-signature'],
            body,
            this.#secret,
            Math.floor(receivedAt / 1000),
          )
    if (body === null || problem !== null) return this.#reject(problem as string, 401)

    const event = parseEvent(body)
    if (!event) return this.#reject('the body is not an event', 400)
    if (event.id !== request.headers['x-service-event-id'] || event.type !== request.headers['x-service-event'])
      return this.#reject('the headers and the body name different events', 400)

    if (this.#seenIds.has(event.id)) this.repeated++
    else {
      this.#seenIds.add(event.id)
      const receipt = {
        id: event.id,
        type: event.type,
        data: event.data,
        ms: receivedAt - Date.parse(event.createdAt),
      }
      this.receipts.push(receipt)
      for (const listener of [...this.#listeners]) listener(receipt)
    }
    return 204
  }

  #reject(reason: string, status: number): number {
    this.rejected.set(reason, (this.rejected.get(reason) ?? 0) + 1)
    return status
  }
}

/** Reads the raw bytes, because they are what is signed. Returns null above the maximum size. */
const readBody = async (request: IncomingMessage): Promise<Buffer | null> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Checks `t=<unix seconds>,v1=<hex>` of these bytes. Returns a description of the problem, or null if the signature is
 * valid. During a rotation of the secret there are two `v1`, and one valid one is sufficient.
 *
 * @param now unix seconds
 */
const findSignatureProblem = (
  header: string | string[] | undefined,
  body: Buffer,
  secret: string | null,
  now: number,
): string | null => {
  if (secret === null) return 'the secret is not known yet'
  if (typeof header !== 'string') return 'the signature is missing'
  const values = (name: string) =>
    header
      .split(',')
      .filter(part => part.startsWith(`${name}=`))
      .map(part => part.slice(name.length + 1))
  const [t = ''] = values('t')
  const digests = values('v1')
  if (!/^\d+$/.test(t) || digests.length === 0) return 'the signature lacks t or v1'
  const computed = createHmac('sha256', secret).update(`${t}.`).update(body).digest()
  if (!digests.some(digest => isSame(digest, computed))) return 'the signature does not match the body'
  return Math.abs(now - Number(t)) > tolerance ? 'the signature is more than 300 seconds old, or in the future' : null
}

/** Compares in constant time. Only the length, which is not secret, can shorten the comparison. */
const isSame = (hex: string, computed: Buffer): boolean => {
  const expected = Buffer.from(computed.toString('hex'))
  const actual = Buffer.from(hex)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

interface WebhookEvent {
  id: string
  type: string
  createdAt: string
  data: Record<string, unknown>
}

const parseEvent = (body: Buffer): WebhookEvent | null => {
  try {
    const event = JSON.parse(body.toString('utf8'))
    const texts = [event?.id, event?.type, event?.createdAt]
    if (!texts.every(text => typeof text === 'string') || Number.isNaN(Date.parse(event.createdAt))) return null
    return typeof event.data === 'object' && event.data !== null ? event : null
  } catch {
    return null
  }
}
