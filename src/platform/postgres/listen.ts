import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Service } from '../service.ts'
import { pgConfig, withRetry } from './client.ts'

/** Options of a listener. Errors and rejections of callbacks are logged and stop nothing. */
export interface ListenerOptions {
  /**
   * `postgres://user:password@host:port/database` of the server itself. LISTEN does not work through a transaction
   * pooler.
   */
  url: string
  /** Name shown in `pg_stat_activity`. */
  applicationName: string
  /** Callbacks by channel. Treat a payload only as a hint. */
  channels: Record<string, (payload: string) => void>
  /**
   * Called each time listening begins, including the first. Earlier notifications were missed, so the rows must be
   * read.
   */
  onConnect: () => void
  /** Milliseconds between two notifications that the listener sends to itself. Defaults to 15,000. */
  heartbeatMs?: number
  /** Called when the connection is lost, cannot be opened for a new reason, or is back. */
  log?: (message: string, error?: unknown) => void
}

/** Receives NOTIFY over its own connection, which it opens again whenever it is lost. */
export class Listener implements Service {
  readonly name = 'listener'
  readonly #options: ListenerOptions
  readonly #stopping = new AbortController()
  #session: Session | null = null
  #starting: Promise<void> | null = null
  #running: Promise<void> = Promise.resolve()
  #lastFailure = ''
  #connected = false

  constructor(options: ListenerOptions) {
    this.#options = options
  }

  /** Whether a notification sent now would be received, as far as is known. */
  get connected(): boolean {
    return this.#connected
  }

  /** Resolves when it listens. Rejects with one sentence if the database cannot be reached. */
  start(): Promise<void> {
    this.#starting ??= this.#start().catch(error => {
      this.#starting = null
      throw error
    })
    return this.#starting
  }

  /** Closes the connection permanently. No callback runs afterwards. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#session?.close()
    await this.#starting?.catch(() => {})
    await this.#running
  }

  async #start(): Promise<void> {
    try {
      const session = await withRetry(() => this.#open(), { when: () => !this.#stopping.signal.aborted })
      this.#running = this.#run(session)
    } catch (error) {
      throw new Error(`Notifications cannot be received from the database: ${reasonOf(error)}.`, { cause: error })
    }
  }

  async #run(first: Session): Promise<void> {
    let session: Session | null = first
    while (session) {
      this.#connected = true
      this.#call('onConnect', this.#options.onConnect)
      const error = await session.lost
      this.#connected = false
      session.close()
      if (this.#stopping.signal.aborted) return
      this.#log('The connection for notifications was lost', error)
      session = await this.#reopen()
    }
  }

  /** Returns a new session, or null when stopped. */
  async #reopen(): Promise<Session | null> {
    for (let wait = firstWaitMs; !this.#stopping.signal.aborted; wait = Math.min(wait * 2, maxWaitMs)) {
      await sleep(wait * (0.75 + Math.random() / 4), null, { signal: this.#stopping.signal }).catch(() => {})
      try {
        const session = await this.#open()
        this.#log('The connection for notifications is back')
        return session
      } catch (error) {
        if (!this.#stopping.signal.aborted) this.#logOnce('The connection for notifications cannot be rebuilt', error)
      }
    }
    return null
  }

  async #open(): Promise<Session> {
    if (this.#stopping.signal.aborted) throw new Error('the listener has been stopped')
    const session = new Session(this.#options, (channel, callback) => this.#call(channel, callback))
    this.#session = session
    await session.open()
    return session
  }

  /** Runs a callback. An error or rejection must not reach the events of the connection or end the process. */
  #call(name: string, callback: () => unknown): void {
    if (this.#stopping.signal.aborted) return
    const onFailure = (error: unknown) => this.#log(`The subscriber of ${name} failed`, error)
    try {
      Promise.resolve(callback()).catch(onFailure)
    } catch (error) {
      onFailure(error)
    }
  }

  #log(message: string, error?: unknown): void {
    this.#lastFailure = ''
    this.#options.log?.(message, error)
  }

  /** Logs a failure only if it changed. Otherwise an outage would log the same message every second. */
  #logOnce(message: string, error: unknown): void {
    const failure = reasonOf(error)
    if (failure !== this.#lastFailure) this.#log(message, error)
    this.#lastFailure = failure
  }
}

const firstWaitMs = 50
const maxWaitMs = 1000
const connectTimeoutMs = 5000

/**
 * One connection, from LISTEN until it is lost. It is never opened again.
 *
 * It uses `pg`, not the driver of the pool, because `pg` gives access to its only connection. A half-open connection
 * can be destroyed immediately through its socket, and no reconnect logic of the driver interferes.
 */
class Session {
  /** Resolves with the reason when the connection is lost or stops responding. Never rejects. */
  readonly lost: Promise<unknown>
  readonly #options: ListenerOptions
  readonly #markLost: (reason: unknown) => void
  readonly #socket = new Socket()
  readonly #client: Client
  readonly #ownChannel = `heartbeat_${randomUUID()}`
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: ListenerOptions, call: (channel: string, callback: () => void) => void) {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.lost = promise
    this.#markLost = resolve
    this.#options = options
    this.#client = new Client({
      ...pgConfig(options.url),
      application_name: options.applicationName,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: connectTimeoutMs,
      stream: () => this.#socket,
    })
    // These handlers stay until the end, because an unhandled `error` event would end the process.
    this.#client.on('error', resolve)
    this.#client.on('end', () => resolve(new Error('the connection was closed')))
    this.#client.on('notification', ({ channel, payload = '' }) => {
      const callback = options.channels[channel]
      if (channel === this.#ownChannel) this.#onEcho()
      else if (callback) call(channel, () => callback(payload))
    })
  }

  async open(): Promise<void> {
    try {
      await Promise.race([this.#listen(), this.lost.then(reason => Promise.reject(reason))])
      this.#timer = setTimeout(() => this.#ping(), this.#heartbeatMs)
    } catch (error) {
      this.close()
      throw error
    }
  }

  close(): void {
    this.#markLost(new Error('the connection was closed'))
    clearTimeout(this.#timer)
    this.#client.removeAllListeners('notification')
    this.#socket.destroy()
  }

  async #listen(): Promise<void> {
    await this.#client.connect()
    const channels = [...Object.keys(this.#options.channels), this.#ownChannel]
    await this.#client.query(channels.map(channel => `listen ${this.#client.escapeIdentifier(channel)}`).join(';'))
  }

  /**
   * Sends a notification to itself. A half-open connection looks like an idle one; only a missing echo shows the
   * difference.
   */
  #ping(): void {
    const onSilence = () => this.#markLost(new Error('the heartbeat was not answered'))
    this.#timer = setTimeout(onSilence, Math.min(this.#heartbeatMs, connectTimeoutMs))
    this.#client.query(`notify ${this.#client.escapeIdentifier(this.#ownChannel)}`).catch(this.#markLost)
  }

  #onEcho(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#ping(), this.#heartbeatMs)
  }

  get #heartbeatMs(): number {
    return this.#options.heartbeatMs ?? 15_000
  }
}

/** Returns the message of an error without the full stop. A refused connection to several addresses has only a code. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : error.name
  return error.message.replace(/\.$/, '') || code
}
