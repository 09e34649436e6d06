/** One open stream: what is on its way to one reader, as far as that reader takes it. */
import { bytesOf } from './text.ts'

export interface StreamBounds {
  /** Bytes that may wait for a reader. */
  maxWaitingBytes: number
  /** Milliseconds for which they may. */
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
  /** When something was last sent. */
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
        // Called when what was handed over before has gone: whoever reads no more asks for no more.
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

  /** Sends it, or ends the stream: of a reader who is too slow nothing is kept. */
  send(bytes: Uint8Array): void {
    if (this.#isOver) return
    if (this.#waiting.length === 0) this.#waitingSince = performance.now()
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.byteLength
    this.sentAt = performance.now()
    this.#handOver()
    if (this.#waitingBytes > this.bounds.maxWaitingBytes) this.drop()
  }

  /** Nothing waits for the reader: a heartbeat would say something. */
  get isTaken(): boolean {
    return this.#waiting.length === 0
  }

  /** Something has waited for too long. */
  isStuck(now: number): boolean {
    return this.#waiting.length > 0 && now - this.#waitingSince > this.bounds.maxWaitingMs
  }

  /** Ends it in the middle. */
  drop(): void {
    if (this.#isOver) return
    this.#over()
    this.#controller.error(new Error('the stream was not read in time'))
  }

  /** Ends it where it is; the reader comes again. */
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
