/** Connection poolers in front of a database: a small one for tests, and PgBouncer if it is installed. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../support/http-server.ts'
import { eventually } from '../../support/world.ts'

export interface Pooler {
  /** The given URL through the pooler. */
  url: string
  stop(): Promise<void>
}

/** Splits a stream of bytes into protocol messages. Calls `onMessage` for complete ones and keeps the rest. */
const framing = (onMessage: (type: string, message: Buffer) => void) => {
  let rest: Buffer = Buffer.alloc(0)
  return (data: Buffer) => {
    rest = Buffer.concat([rest, data])
    while (rest.length >= 5 && rest.length >= 1 + rest.readInt32BE(1)) {
      const end = 1 + rest.readInt32BE(1)
      const message = rest.subarray(0, end)
      rest = rest.subarray(end)
      onMessage(String.fromCharCode(message[0]!), message)
    }
  }
}

/** A session with the server and its current user. */
interface Backend {
  socket: Socket
  user: { near: Socket; owed: number } | null
}

/**
 * Starts a pooler in transaction mode. A backend belongs to a connection for one transaction and is idle afterwards.
 * Each connection opens a backend when it signs in, so that there are always enough.
 */
export const startTransactionPooler = async (databaseUrl: string): Promise<Pooler> => {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const idle: Backend[] = []

  const open = (near: Socket): Backend => {
    const socket = connect(Number(target.port), target.hostname)
    const backend: Backend = { socket, user: { near, owed: 1 } }
    const read = framing((type, message) => {
      backend.user?.near.write(message)
      if (type !== 'Z' || !backend.user) return
      backend.user.owed--
      if (backend.user.owed > 0 || message[5] !== 'I'.charCodeAt(0)) return
      backend.user = null
      idle.push(backend)
    })
    keep(socket, read)
    socket.on('close', () => {
      backend.user?.near.destroy()
      if (idle.includes(backend)) idle.splice(idle.indexOf(backend), 1)
    })
    return backend
  }
  const keep = (socket: Socket, read: (data: Buffer) => void) => {
    sockets.add(socket)
    socket.on('data', read)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }

  const server = createServer(near => {
    let backend: Backend | undefined
    const first = open(near)
    let signedIn = false
    const read = framing((type, message) => {
      if (type === 'X') return near.destroy()
      if (backend?.user?.near !== near) {
        backend = idle.pop()!
        backend.user = { near, owed: 0 }
      }
      if (type === 'Q' || type === 'S') backend.user!.owed++
      backend.socket.write(message)
    })
    keep(near, data => {
      signedIn ||= first.user?.near !== near
      if (signedIn) read(data)
      else first.socket.write(data)
    })
    near.on('close', () => {
      for (const used of [first, backend]) if (used?.user?.near === near) used.socket.destroy()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: at(databaseUrl, port),
    stop: async () => {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

export const pgbouncer = Bun.which('pgbouncer')

/**
 * Starts PgBouncer in the given mode. As root it drops its privileges, so its folder is readable by all. With `sessions`, a
 * database has at most that many, and a client that sets more than its name and time zone is rejected.
 */
export const startPgbouncer = async (
  databaseUrl: string,
  mode: 'session' | 'transaction',
  sessions?: number,
): Promise<Pooler> => {
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  const port = await freePort()
  const { hostname, port: targetPort, username, password } = new URL(databaseUrl)
  writeFileSync(join(folder, 'users.txt'), `"${username}" "${decodeURIComponent(password)}"\n`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${targetPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${folder}/users.txt
pool_mode = ${mode}
max_client_conn = 200
default_pool_size = ${sessions ?? 50}
${sessions === undefined ? 'ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout, enable_seqscan, random_page_cost, jit' : ''}
`,
  )
  chmodSync(folder, 0o755)
  const asNobody = process.getuid!() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(pgbouncer!, ['-q', ...asNobody, join(folder, 'pgbouncer.ini')], { stdio: 'ignore' })
  const ended = new Promise(resolve => child.once('close', resolve))
  await eventually('PgBouncer listens', () => reachable(port))
  return {
    url: at(databaseUrl, port),
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

const at = (databaseUrl: string, port: number): string => {
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return url.href
}

const reachable = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
