/** The listening server as a part. */
import { lookup } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import type { Part } from '../platform/part.ts'
import { runtime, type Server } from '../platform/runtime.ts'
import { StartError } from './problem.ts'

/** How long a request that was sent before the end began may lie unread in its socket. */
const unreadMs = 50
const pendingPollMs = 10

export class HttpServer implements Part {
  readonly name = 'server'
  #server: Server | null = null
  #stopping = false
  #leaving = false

  constructor(
    private readonly config: Pick<Config, 'host' | 'port' | 'httpKeepAlive'>,
    private readonly answer: (request: Request) => Promise<Response>,
    /** The setting that its port comes from. */
    private readonly portSetting = 'PORT',
  ) {}

  /** Where it listens: with the port that was had, once it does. */
  get port(): number {
    return this.#server?.port ?? this.config.port
  }

  /** The address for people, as far as the settings tell. */
  get url(): string {
    return addressShown(this.config.host, this.port)
  }

  /** The network address that the connection of a request came from. */
  addressOf(request: Request): string {
    return this.#server?.addressOf(request) ?? 'unknown'
  }

  /** Throws StartError where the address or the port cannot be had. */
  async start(): Promise<void> {
    if (this.#server || this.#stopping) return
    const { host, port, httpKeepAlive } = this.config
    // What listening itself says of a name that leads nowhere differs from time to time, and names nothing.
    await lookup(host).catch(error => {
      throw new StartError(`HOST must be a name or an address of this machine; "${host}" leads nowhere.`, {
        cause: error,
      })
    })
    try {
      this.#server = runtime.serve({
        host,
        port,
        keepAliveMs: httpKeepAlive,
        fetch: request => this.#answered(request),
      })
    } catch (error) {
      throw new StartError(
        `Cannot listen on ${host}:${port} (HOST, ${this.portSetting}): ${reasonOf(error, this.portSetting)}.`,
        { cause: error },
      )
    }
  }

  /** Asks callers to open their next connection elsewhere: from now on each answer closes its connection. */
  leave(): void {
    this.#leaving = true
  }

  async #answered(request: Request): Promise<Response> {
    const response = await this.answer(request)
    if (this.#leaving) response.headers.set('Connection', 'close')
    return response
  }

  /**
   * Answers every request that was sent before, and stops listening. Waits for requests, not for connections: one that
   * is idle or never sends its request whole is simply closed.
   */
  async stop(deadline: AbortSignal): Promise<void> {
    this.#stopping = true
    this.leave()
    const server = this.#server
    if (!server) return
    await sleep(unreadMs)
    void server.stop()
    while (server.pending > 0 && !deadline.aborted) await sleep(pendingPollMs)
    await server.stop(true)
  }
}

/** The address a browser would take for a service that listens there. */
export const addressShown = (host: string, port: number): string => `http://${displayHost(host)}:${port}`

const displayHost = (host: string): string =>
  host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host

const reasonOf = (error: unknown, setting: string): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `another program uses this port; stop it or set ${setting} to a free one`
  if (code === 'EADDRNOTAVAIL' || code === 'EINVAL') return 'this machine has no such address; set HOST to one it has'
  if (code === 'EACCES') return 'this user may not use this port'
  return error instanceof Error ? error.message : String(error)
}
