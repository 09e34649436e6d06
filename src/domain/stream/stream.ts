/** One live feed: buffers events for one subscriber. */
import { bytesOf } from './text.ts'

export interface StreamBounds {
  /** Maximum number of buffered bytes. */
  maxWaitingBytes: number
  /** Maximum age of buffered data in milliseconds. */
  maxWaitingMs: number
}

export class Stream {
  readonly body: ReadableStream<Uint8Array>
  readonly #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #waitingSince = 0
  #isWanted = false
  #isOver = false
  #controller!: ReadableStreamDefaultController<Uint8Array>
  /** Time at which something was last sent. */
  sentAt = performance.now()

  constructor(
    private readonly bounds: StreamBounds,
    private readonly onEnd: (stream: Stream) => void,
  ) {
    this.body = new ReadableStream<Uint8Array>(
      {
        start: controller => {
          this.#controller = controller
        },
        // Called when the previous chunk was consumed. A subscriber that stops reading never triggers it.
        pull: () => {
          this.#isWanted = true
          this.#handOver()
        },
        cancel: () => this.#over(),
      },
      { highWaterMark: 0 },
    )
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Sends bytes, or drops the feed if the subscriber is too slow and the buffer is full. */
  send(bytes: Uint8Array): void {
    if (this.#isOver) return
    if (this.#waiting.length === 0) this.#waitingSince = performance.now()
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.byteLength
    this.sentAt = performance.now()
    this.#handOver()
    if (this.#waitingBytes > this.bounds.maxWaitingBytes) this.drop()
  }

  /** True if the buffer is empty, so that a heartbeat may be sent. */
  get isTaken(): boolean {
    return this.#waiting.length === 0
  }

  /** True if data has been buffered for too long. */
  isStuck(now: number): boolean {
    return this.#waiting.length > 0 && now - this.#waitingSince > this.bounds.maxWaitingMs
  }

  /** Aborts the feed with an error. */
  drop(): void {
    if (this.#isOver) return
    this.#over()
    this.#controller.error(new Error('the stream was not read in time'))
  }

  /** Closes the feed normally; the client reconnects. */
  end(lastWords?: string): void {
    if (this.#isOver) return
    if (lastWords !== undefined && this.#isWanted) this.#controller.enqueue(bytesOf(lastWords))
    this.#over()
    this.#controller.close()
  }

  #handOver(): void {
    if (!this.#isWanted || this.#waiting.length === 0 || this.#isOver) return
    this.#isWanted = false
    const [first] = this.#waiting
    this.#controller.enqueue(this.#waiting.length === 1 ? first! : joined(this.#waiting, this.#waitingBytes))
    this.#waiting.length = 0
    this.#waitingBytes = 0
  }

  #over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#waiting.length = 0
    this.#waitingBytes = 0
    this.onEnd(this)
  }
}

const joined = (parts: readonly Uint8Array[], bytes: number): Uint8Array => {
  const all = new Uint8Array(bytes)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.byteLength
  }
  return all
}
