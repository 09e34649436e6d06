/** The service as an integrator meets it: over HTTP and nothing else. */
import { setTimeout } from 'node:timers/promises'
import { type DirectOptions, runtime } from '../../platform/runtime.ts'

/** The demo cannot go on; the message is one sentence. */
export class DemoError extends Error {
  override readonly name = 'DemoError'
}

/** A signal that runs out of time ends requests with this. */
export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'

export interface Answer<Body> {
  status: number
  body: Body
}

/** The envelope of every refusal. */
export interface Refusal {
  error: { code: string; message: string; details?: Record<string, string> }
  request_id: string
}

export interface Asking {
  headers?: Record<string, string>
  /** Sent as JSON. */
  body?: unknown
  /** Ends this request instead of the signal that ends all. */
  signal?: AbortSignal
}

/** Calls the service at `url`, with these headers on every request, until `signal` ends it. */
export class Api {
  constructor(
    private readonly url: string,
    private readonly signal: AbortSignal,
    private readonly headers: Record<string, string> = {},
  ) {}

  /** The same service, with further headers. */
  as(headers: Record<string, string>): Api {
    return new Api(this.url, this.signal, { ...this.headers, ...headers })
  }

  /**
   * One request. `Body` is what the published document says of the answer; nothing checks it. Throws DemoError where
   * nobody answers, and what the signal ends it with.
   */
  async ask<Body>(
    method: string,
    path: string,
    { headers, body, signal = this.signal }: Asking = {},
  ): Promise<Answer<Body>> {
    const { status, text } = await answerTo(`${this.url}${path}`, {
      method,
      headers: {
        ...this.headers,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal,
    })
    return { status, body: (text === '' ? null : JSON.parse(text)) as Body }
  }

  /** One request that must succeed; answers the body. Throws DemoError with the refusal in words. */
  async call<Body>(method: string, path: string, asking: Asking = {}): Promise<Body> {
    const { status, body } = await this.ask<Body | Refusal>(method, path, asking)
    if (status >= 200 && status < 300) return body as Body
    throw new DemoError(`${method} ${path} was refused with ${status}: ${(body as Refusal).error.message}`)
  }

  /**
   * Asks until the answer is as wanted, and answers it. `fact` is what is waited for, in words: throws DemoError with it
   * where the signal runs out of time before.
   */
  async until<Body>(path: string, fact: string, isWanted: (body: Body) => boolean): Promise<Body> {
    try {
      for (;;) {
        const body = await this.call<Body>('GET', path)
        if (isWanted(body)) return body
        await setTimeout(pollMs, undefined, { signal: this.signal }).catch(() => this.signal.throwIfAborted())
      }
    } catch (error) {
      if (!isTimeout(error)) throw error
      throw new DemoError(`It did not come to pass in time that ${fact} (GET ${path}).`, { cause: error })
    }
  }

  /** Every item of a paged list, the newest first. */
  async list<Item>(path: string, signal = this.signal): Promise<Item[]> {
    const items: Item[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '?limit=100' : `?limit=100&cursor=${encodeURIComponent(cursor)}`
      const page: Page<Item> = await this.call('GET', `${path}${query}`, { signal })
      items.push(...page.data)
      cursor = page.nextCursor
    } while (cursor !== null)
    return items
  }
}

/** Between two looks at what is not yet so. */
const pollMs = 25

const answerTo = async (
  url: string,
  options: DirectOptions & { signal: AbortSignal },
): Promise<{ status: number; text: string }> => {
  try {
    const response = await runtime.fetchDirectly(url, options)
    return { status: response.status, text: await response.text() }
  } catch (error) {
    if (options.signal.aborted) throw error
    const reason = error instanceof Error && 'code' in error ? error.code : error
    throw new DemoError(`${options.method} ${url} had no answer: ${reason}.`, { cause: error })
  }
}

/** Of a list. */
export interface Page<Item> {
  data: Item[]
  nextCursor: string | null
}
