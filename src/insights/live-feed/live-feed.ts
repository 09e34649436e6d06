/** One live feed: buffers events for one subscriber. */
import { bytesOf } from './event-stream.ts'

export interface BufferLimits {
  /** Maximum number of buffered bytes. */
  maxBufferedBytes: number
  /** Maximum age of buffered data in milliseconds. */
  maxBufferedMs: number
}

export class LiveFeed {
  readonly body: ReadableStream<Uint8Array>
  readonly #buffer: Uint8Array[] = []
  #bufferedBytes = 0
  #bufferedSince = 0
  #isPulled = false
  #isClosed = false
  #controller!: ReadableStreamDefaultController<Uint8Array>
  /** Time at which something was last sent. */
  sentAt = performance.now()

  constructor(
    private readonly limits: BufferLimits,
    private readonly onEnd: (feed: LiveFeed) => void,
  ) {
    this.body = new ReadableStream<Uint8Array>(
      {
        start: controller => {
          this.#controller = controller
        },
        // Called when the previous chunk was consumed. A subscriber that stops reading never triggers it.
        pull: () => {
          this.#isPulled = true
          this.#flush()
        },
        cancel: () => this.#close(),
      },
      { highWaterMark: 0 },
    )
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Sends bytes, or drops the feed if the subscriber is too slow and the buffer is full. */
  send(bytes: Uint8Array): void {
    if (this.#isClosed) return
    if (this.#buffer.length === 0) this.#bufferedSince = performance.now()
    this.#buffer.push(bytes)
    this.#bufferedBytes += bytes.byteLength
    this.sentAt = performance.now()
    this.#flush()
    if (this.#bufferedBytes > this.limits.maxBufferedBytes) this.drop()
  }

  /** True if the buffer is empty, so that a heartbeat may be sent. */
  get isDrained(): boolean {
    return this.#buffer.length === 0
  }

  /** True if data has been buffered for too long. */
  isStalled(now: number): boolean {
    return this.#buffer.length > 0 && now - this.#bufferedSince > this.limits.maxBufferedMs
  }

  /** Aborts the feed with an error. */
  drop(): void {
    if (this.#isClosed) return
    this.#close()
    this.#controller.error(new Error('the client did not read the stream in time'))
  }

  /** Closes the feed normally; the client reconnects. */
  end(finalText?: string): void {
    if (this.#isClosed) return
    if (finalText !== undefined && this.#isPulled) this.#controller.enqueue(bytesOf(finalText))
    this.#close()
    this.#controller.close()
  }

  #flush(): void {
    if (!this.#isPulled || this.#buffer.length === 0 || this.#isClosed) return
    this.#isPulled = false
    const [first] = this.#buffer
    this.#controller.enqueue(this.#buffer.length === 1 ? first! : concat(this.#buffer, this.#bufferedBytes))
    this.#buffer.length = 0
    this.#bufferedBytes = 0
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#buffer.length = 0
    this.#bufferedBytes = 0
    this.onEnd(this)
  }
}

const concat = (chunks: readonly Uint8Array[], bytes: number): Uint8Array => {
  const all = new Uint8Array(bytes)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.byteLength
  }
  return all
}
