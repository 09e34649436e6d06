/** HTTP client of the demo. Like any integrator, it uses only the public API. */
import { setTimeout } from 'node:timers/promises'
import { type DirectOptions, runtime } from '../../../platform/runtime.ts'

/** Thrown when the demo cannot continue. The message is one sentence. */
export class DemoError extends Error {
  override readonly name = 'DemoError'
}

/** Returns whether the error is the one with which a timeout signal ends requests. */
export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'

export interface ApiResponse<Body> {
  status: number
  body: Body
}

/** Body of every error answer. */
export interface ErrorBody {
  error: { code: string; message: string; details?: Record<string, string> }
  request_id: string
}

export interface RequestOptions {
  headers?: Record<string, string>
  /** Body, sent as JSON. */
  body?: unknown
  /** Signal of this request. Replaces the signal of the client. */
  signal?: AbortSignal
}

/** Calls the service at `url` with these headers on every request, until `signal` aborts. */
export class Api {
  constructor(
    private readonly url: string,
    private readonly signal: AbortSignal,
    private readonly headers: Record<string, string> = {},
  ) {}

  /** Returns a client for the same service with additional headers. */
  withHeaders(headers: Record<string, string>): Api {
    return new Api(this.url, this.signal, { ...this.headers, ...headers })
  }

  /**
   * Sends one request. `Body` is the documented type of the answer, which is not checked. Throws DemoError if the
   * service is unreachable, and the abort reason of the signal.
   */
  async request<Body>(
    method: string,
    path: string,
    { headers, body, signal = this.signal }: RequestOptions = {},
  ): Promise<ApiResponse<Body>> {
    const { status, text } = await fetchText(`${this.url}${path}`, {
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

  /** Sends a request that must succeed and returns the body. Throws DemoError with the message of the error answer. */
  async call<Body>(method: string, path: string, options: RequestOptions = {}): Promise<Body> {
    const { status, body } = await this.request<Body | ErrorBody>(method, path, options)
    if (status >= 200 && status < 300) return body as Body
    throw new DemoError(`${method} ${path} failed with status ${status}: ${(body as ErrorBody).error.message}`)
  }

  /**
   * Repeats the request until the answer is as expected, and returns it. `expectation` describes the expectation. If the
   * signal times out, throws DemoError with this text.
   */
  async pollUntil<Body>(path: string, expectation: string, isDone: (body: Body) => boolean): Promise<Body> {
    try {
      for (;;) {
        const body = await this.call<Body>('GET', path)
        if (isDone(body)) return body
        await setTimeout(pollMs, undefined, { signal: this.signal }).catch(() => this.signal.throwIfAborted())
      }
    } catch (error) {
      if (!isTimeout(error)) throw error
      throw new DemoError(`Timed out before ${expectation} (GET ${path}).`, { cause: error })
    }
  }

  /** Returns all items of a paginated list, newest first. */
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

/** Milliseconds between two requests while polling. */
const pollMs = 25

const fetchText = async (
  url: string,
  options: DirectOptions & { signal: AbortSignal },
): Promise<{ status: number; text: string }> => {
  try {
    const response = await runtime.fetchDirectly(url, options)
    return { status: response.status, text: await response.text() }
  } catch (error) {
    if (options.signal.aborted) throw error
    const reason = error instanceof Error && 'code' in error ? error.code : error
    throw new DemoError(`${options.method} ${url} received no response: ${reason}.`, { cause: error })
  }
}

/** One page of a list. */
export interface Page<Item> {
  data: Item[]
  nextCursor: string | null
}
