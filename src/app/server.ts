/** Runs the HTTP server as a service. */
import { lookup } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { runtime, type Server } from '../platform/runtime.ts'
import type { Service } from '../platform/service.ts'
import { StartError } from './start-error.ts'

/** Milliseconds that a request may still be unread in its socket when the shutdown begins. */
const unreadMs = 50
const pendingPollMs = 10

export class HttpServer implements Service {
  readonly name = 'server'
  readonly #ended = Promise.withResolvers<void>()
  /** Resolves when the server has stopped, after the last answer. */
  readonly stopped: Promise<void> = this.#ended.promise
  #server: Server | null = null
  #stopping = false
  #isDraining = false

  constructor(
    private readonly config: Pick<Config, 'host' | 'port' | 'httpKeepAlive'>,
    private readonly answer: (request: Request) => Promise<Response>,
    /** Setting that the port comes from. */
    private readonly portSetting = 'PORT',
  ) {}

  /** Port of the server. It is the actual port once the server listens. */
  get port(): number {
    return this.#server?.port ?? this.config.port
  }

  /** URL for people, derived from the settings. */
  get url(): string {
    return displayUrl(this.config.host, this.port)
  }

  /** Returns the network address of the request's connection. */
  addressOf(request: Request): string {
    return this.#server?.addressOf(request) ?? 'unknown'
  }

  /** Throws StartError if the address or the port is not available. */
  async start(): Promise<void> {
    if (this.#server || this.#stopping) return
    const { host, port, httpKeepAlive } = this.config
    // Resolved first, because the error of listening on an unknown name varies and does not contain the name.
    await lookup(host).catch(error => {
      throw new StartError(`HOST must be a name or an address of this machine, not "${host}".`, {
        cause: error,
      })
    })
    try {
      this.#server = runtime.serve({
        host,
        port,
        keepAliveMs: httpKeepAlive,
        fetch: request => this.#respond(request),
      })
    } catch (error) {
      throw new StartError(
        `Cannot listen on ${host}:${port} (HOST, ${this.portSetting}): ${reasonOf(error, this.portSetting)}.`,
        { cause: error },
      )
    }
  }

  /** Closes the connection after each answer from now on, so that clients connect to another process. */
  drain(): void {
    this.#isDraining = true
  }

  async #respond(request: Request): Promise<Response> {
    const response = await this.answer(request)
    if (this.#isDraining) response.headers.set('Connection', 'close')
    return response
  }

  /**
   * Answers all requests that were already sent, and then stops listening. Does not wait for connections that are idle
   * or have sent only part of a request.
   */
  async stop(deadline: AbortSignal): Promise<void> {
    this.#stopping = true
    this.drain()
    const server = this.#server
    if (server) {
      await sleep(unreadMs)
      void server.stop()
      while (server.pending > 0 && !deadline.aborted) await sleep(pendingPollMs)
      await server.stop(true)
    }
    this.#ended.resolve()
  }
}

/** Returns the URL for a browser, given the host and port of the server. */
export const displayUrl = (host: string, port: number): string => `http://${displayHost(host)}:${port}`

const displayHost = (host: string): string =>
  host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host

const reasonOf = (error: unknown, setting: string): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `another program uses this port; stop it, or set ${setting} to a free port`
  if (code === 'EADDRNOTAVAIL' || code === 'EINVAL')
    return 'this machine does not have this address; set HOST to one of its addresses'
  if (code === 'EACCES') return 'this user does not have permission to use this port'
  return error instanceof Error ? error.message : String(error)
}
