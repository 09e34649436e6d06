/** Parses DATABASE_URL like `libpq`, for the two drivers that the service uses. */
import { readFileSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'

/** Connection settings for a driver. */
export interface Target {
  /** Host name, address, or folder of a Unix socket. Undefined if the URL omits it. */
  host: string | undefined
  port: number | undefined
  user: string | undefined
  password: string | undefined
  database: string | undefined
  /** False: without TLS. `prefer`: with TLS if the server offers it, without checking the certificate. */
  ssl: false | 'prefer' | ConnectionOptions
  /** Other parameters of the URL, sent to the server when the session starts. */
  parameters: Record<string, string>
}

/** Error for a DATABASE_URL that cannot be used. The message is one sentence for the operator, without the URL. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
}

/** Parses the URL. Throws TargetError if it is invalid or needs an unsupported feature. */
export const parseTarget = (url: string): Target => {
  rejectMultipleHosts(url)
  // libpq accepts a user and a password without a host, which is otherwise an invalid URL.
  const parsed = URL.parse(url.replace(/^([a-z]+:\/\/[^/?#]*@)(?=\/)/i, '$1localhost'))
  if (parsed === null)
    throw new TargetError(
      'The database URL is not valid. It must look like postgres://user:password@host:5432/database.',
    )
  const { hostname, port, username, password, pathname, searchParams } = parsed
  const parameters = Object.fromEntries(searchParams)
  const take = (name: string): string | undefined => {
    const value = parameters[name]
    delete parameters[name]
    return value || undefined
  }
  const host = take('host') ?? (decodeURIComponent(hostname).replace(/^\[|\]$/g, '') || undefined)
  const portText = take('port') ?? port
  if (host?.includes(',') || portText.includes(',')) throw multipleHostsError()
  const unsupported = unsupportedParameters.find(name => name in parameters)
  if (unsupported !== undefined)
    throw new TargetError(`DATABASE_URL sets ${unsupported}, which is not supported. Remove it.`)
  const ssl = parseTls({
    mode: take('sslmode') ?? 'disable',
    rootCert: take('sslrootcert'),
    cert: take('sslcert'),
    key: take('sslkey'),
  })
  return {
    host,
    port: portText === '' ? undefined : Number(portText),
    user: take('user') ?? (decodeURIComponent(username) || undefined),
    password: take('password') ?? (decodeURIComponent(password) || undefined),
    database: take('dbname') ?? (decodeURIComponent(pathname.slice(1)) || undefined),
    // As in libpq: a local socket needs no encryption.
    ssl: isSocket(host) ? false : ssl,
    parameters,
  }
}

/** Parameters of libpq that would be ignored, or that the server would reject with an unclear message. */
const unsupportedParameters = [
  // Triggers of a move distinguish the connections of the service by their names.
  'application_name',
  'channel_binding',
  'connect_timeout',
  'fallback_application_name',
  'gssencmode',
  'hostaddr',
  'keepalives',
  'keepalives_count',
  'keepalives_idle',
  'keepalives_interval',
  'krbsrvname',
  'load_balance_hosts',
  'passfile',
  'require_auth',
  'requirepeer',
  'requiressl',
  'service',
  'ssl',
  'ssl_max_protocol_version',
  'ssl_min_protocol_version',
  'sslcompression',
  'sslcrl',
  'sslcrldir',
  'sslnegotiation',
  'sslpassword',
  'sslsni',
  'target_session_attrs',
  'tcp_user_timeout',
]

const multipleHostsError = () =>
  new TargetError(
    'DATABASE_URL names several hosts, which is not supported. Name one host that always leads to the primary.',
  )

const rejectMultipleHosts = (url: string): void => {
  const authority = /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? ''
  if (authority.slice(authority.lastIndexOf('@') + 1).includes(',')) throw multipleHostsError()
}

/** Returns the schema of the tasks of a cell: `tasks_<name>` for a cell of Citus, otherwise `graphile_worker`. */
export const tasksSchemaOf = (url: string): string => {
  const name = /search_path=here_(\w+)/.exec(parseTarget(url).parameters.options ?? '')?.[1]
  return name === undefined ? 'graphile_worker' : `tasks_${name}`
}

const isSocket = (host: string | undefined): boolean => host?.startsWith('/') ?? false

interface Tls {
  mode: string
  rootCert: string | undefined
  cert: string | undefined
  key: string | undefined
}

const parseTls = ({ mode, rootCert, cert, key }: Tls): Target['ssl'] => {
  if (!modes.includes(mode))
    throw new TargetError(`sslmode in DATABASE_URL must be one of ${modes.join(', ')}, not "${mode}".`)
  if (mode === 'disable' || mode === 'prefer') return mode === 'prefer' && 'prefer'
  if ((cert === undefined) !== (key === undefined))
    throw new TargetError('DATABASE_URL sets only one of sslcert and sslkey. Set both or neither.')
  const clientCert = cert && key ? { cert: readCertFile('sslcert', cert), key: readCertFile('sslkey', key) } : {}
  const isSystem = rootCert === undefined || rootCert === 'system'
  const roots = isSystem ? {} : { ca: readCertFile('sslrootcert', rootCert) }
  if (rootCert === 'system' && mode !== 'verify-full')
    throw new TargetError(`sslrootcert=system in DATABASE_URL needs sslmode=verify-full, not "${mode}".`)
  if (mode === 'verify-full') return { ...clientCert, ...roots, rejectUnauthorized: true }
  // As in libpq: with a root certificate, the chain is verified.
  if (mode === 'verify-ca' || !isSystem)
    return { ...clientCert, ...roots, rejectUnauthorized: true, checkServerIdentity: () => undefined }
  return { ...clientCert, rejectUnauthorized: false }
}

const modes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full']

const readCertFile = (name: string, path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new TargetError(`${name} in DATABASE_URL must name a readable file, not ${path}.`)
  }
}

/**
 * Resolves `sslmode=prefer`: `require` if the server offers TLS now, else `disable`. The drivers then do the same while
 * the process runs. If the server cannot be reached, the result is `require`.
 */
export const resolveSslMode = async (url: string): Promise<string> => {
  const target = parseTarget(url)
  if (target.ssl !== 'prefer') return url
  const resolved = new URL(url)
  resolved.searchParams.set('sslmode', (await offersTls(target)) ? 'require' : 'disable')
  return resolved.href
}

/** SSLRequest of the protocol: length and code. The server answers with one byte, `S` or `N`. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const offerTimeoutMs = 5000

const offersTls = ({ host = 'localhost', port = 5432 }: Target): Promise<boolean> =>
  new Promise(resolve => {
    const socket: Socket = createConnection({ host, port, timeout: offerTimeoutMs })
    const end = (offers: boolean) => {
      socket.destroy()
      resolve(offers)
    }
    socket.once('connect', () => socket.write(sslRequest))
    socket.once('data', answer => end(answer[0] !== 'N'.charCodeAt(0)))
    socket.once('timeout', () => end(true))
    socket.once('error', () => end(true))
    socket.once('close', () => end(true))
  })
