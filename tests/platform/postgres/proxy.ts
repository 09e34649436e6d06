import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** TCP proxy in front of a database that simulates network faults. */
export interface Proxy {
  /** The given URL through the proxy. */
  url: string
  /** Number of connections accepted so far. */
  readonly accepted: number
  /** Keeps open connections open but stops all data in both directions. New connections work. */
  freeze(): void
  /** Stops all data in both directions until `resume`, each connection in the middle of what it transfers next. */
  pause(): void
  /** Sends the data that `pause` has held. */
  resume(): void
  /** Leads new connections to the server of this URL. */
  lead(databaseUrl: string): void
  /** Resets the open connections. */
  reset(): void
  /** Refuses new connections until `accept` is called. */
  refuse(): Promise<void>
  accept(): Promise<void>
  stop(): Promise<void>
}

export const startProxy = async (databaseUrl: string): Promise<Proxy> => {
  let target = new URL(databaseUrl)
  const open = new Set<{ near: Socket; far: Socket; frozen: boolean }>()
  let accepted = 0
  let isPaused = false

  const server = createServer(near => {
    accepted++
    const far = connect(Number(target.port), target.hostname)
    const pair = { near, far, frozen: false }
    open.add(pair)
    forward(near, far, pair)
    forward(far, near, pair)
  })
  const forward = (from: Socket, to: Socket, pair: { frozen: boolean }) => {
    const onData = (data: Buffer) => {
      if (pair.frozen) return
      if (!isPaused) return void to.write(data)
      const half = Math.floor(data.length / 2)
      if (half > 0) to.write(data.subarray(0, half))
      from.pause()
      from.unshift(data.subarray(half))
    }
    from.on('data', onData)
    from.on('close', () => !pair.frozen && to.destroy())
    from.on('error', () => {})
  }
  const listen = (port: number) => new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const end = (how: 'reset' | 'destroy') => {
    for (const { near, far } of open) {
      how === 'reset' ? near.resetAndDestroy() : near.destroy()
      far.destroy()
    }
    open.clear()
  }

  await listen(0)
  const { port } = server.address() as AddressInfo
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    get accepted() {
      return accepted
    },
    freeze() {
      for (const pair of open) pair.frozen = true
    },
    pause() {
      isPaused = true
    },
    resume() {
      isPaused = false
      for (const { near, far } of open) {
        near.resume()
        far.resume()
      }
    },
    lead(databaseUrl) {
      target = new URL(databaseUrl)
    },
    reset: () => end('reset'),
    refuse() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      end('destroy')
      return closed
    },
    accept: () => listen(port),
    async stop() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      end('destroy')
      await closed
    },
  }
}

/** Accepts connections and never answers. */
export const startSilentServer = async () => {
  const open = new Set<Socket>()
  const server = createServer(socket => {
    open.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `postgres://127.0.0.1:${(server.address() as AddressInfo).port}/silent`,
    stop: async () => {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
