/**
 * Reads the configuration from environment variables. No other file reads process.env. docs/configuration.md lists the
 * same settings.
 */
import { readFileSync, statSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { distance } from 'fastest-levenshtein'
import ipaddr from 'ipaddr.js'

export interface RateLimit {
  perSecond: number
  burst: number
}

export interface Config {
  /** URL of the PostgreSQL database. Null means the embedded server under dataDir. */
  databaseUrl: string | null
  /**
   * URL of the database itself, for what a transaction pooler at databaseUrl breaks: leases, notifications, migrations and
   * tasks. Null means that databaseUrl leads to the database itself.
   */
  databaseDirectUrl: string | null
  /** URL of a standby for reads. Null means that the primary has all reads. */
  databaseReplicaUrl: string | null
  /** Further databases with workspaces. Empty means that all workspaces are in the database of databaseUrl. */
  cells: readonly CellConfig[]
  /** Whether the database is the coordinator of a Citus cluster, which says what the further cells are. */
  citus: boolean
  /** Name of the cell that gets the first workspace. `main` is the database of databaseUrl. */
  workspaceCell: string
  /** Maximum number of connections of this process to PostgreSQL, for each cell. Defaults to 20. */
  databasePoolSize: number
  dataDir: string
  host: string
  /** Port to listen on. 0 means any free port. */
  port: number
  /** Milliseconds after which an idle client connection is closed. Deno has no such limit. */
  httpKeepAlive: number
  /** Milliseconds between the stop signal and the end of listening. The process is unready during this time. */
  shutdownDelay: number
  /**
   * Port and token of the Prometheus metrics. Without a port, the metrics are served with the other pages. Without a
   * token, they are public.
   */
  metrics: { port: number | null; token: string | null }
  /** Base URL that people use. Null means that it is derived from host and port. */
  publicUrl: string | null
  /** Networks such as `10.0.0.0/8` whose `X-Forwarded-For` is trusted. */
  trustedProxies: readonly string[]
  /**
   * Encryption keys of 32 bytes. The first key encrypts secrets, and all keys decrypt them. Without a key, operations
   * that must encrypt are rejected, unless loadKeyring creates a key.
   */
  secretsKeys: readonly Uint8Array[]
  /** Base URLs of messaging providers, by the name of the setting. A provider without an entry has its default. */
  providerUrls: ProviderUrls
  /** SMTP server and sender of e-mails. Null disables e-mail, and links are shown instead. */
  mail: { url: string; from: string } | null
  /** Identity provider for single sign-on. Null disables it. */
  oidc: OidcConfig | null
  /** Owner to create in an empty database. Null creates a demo owner, but only with the embedded database. */
  owner: { email: string; password: string } | null
  workspaceName: string
  /** Plan of the first workspace. The database knows which plans exist. */
  workspacePlan: string
  /** `host:port` targets that webhooks may reach although they use plain http or a private address. */
  webhookAllowedPrivateTargets: ReadonlySet<string>
  /** Delays between the delivery attempts, in milliseconds. There are seven. */
  webhookRetryWaits: readonly number[]
  /** Milliseconds within which an endpoint must answer. */
  webhookTimeout: number
  /**
   * Maximum number of concurrent outbound requests in the runtime. Further requests would wait unsent inside the
   * runtime while their timeout runs. Bun reads this setting on startup, so it must be set in the environment before
   * that. Deno has no such limit.
   */
  maxOutboundRequests: number
  /** Null disables a limit. */
  rateLimits: {
    key: RateLimit | null
    person: RateLimit | null
    signInAttempts: number | null
    /** Limit for messages, statuses and preferences in callbacks, per workspace and process. */
    callbacks: RateLimit | null
    /** Maximum number of invitation e-mails per workspace and day. */
    invitations: number | null
  }
  /** Milliseconds after which finished records are deleted. Null means never. */
  retention: Retention
  roles: { http: boolean; worker: boolean }
  logLevel: LogLevel
  /** `json` writes one JSON object per line, `text` lines for people. */
  logFormat: LogFormat
  /** Export of traces. Null without an endpoint. */
  tracing: TracingSettings | null
  /**
   * Environment variables that are probably misspelled settings: unknown, but similar to a setting that is not set. At
   * most 10.
   */
  misspelled: readonly { name: string; meant: string }[]
}

/** A further database with workspaces. */
export interface CellConfig {
  name: string
  url: string
  /** The cell in its cluster. Missing for a whole database. */
  citus?: CitusCell
  /** Maximum number of connections of this process. Missing: DATABASE_POOL_SIZE. */
  poolSize?: number
}

/** A cell that is a schema of a Citus cluster. */
export interface CitusCell {
  name: string
  /** URL of the coordinator, where its tables are changed. */
  coordinatorUrl: string
  /** Node that holds it, as `host:port`. */
  node: string
}

/** OpenID Connect provider. */
export interface OidcConfig {
  /** Issuer identifier without a trailing slash being added or removed, because tokens must repeat it exactly. */
  issuer: string
  clientId: string
  /** Null for a public client. */
  clientSecret: string | null
  /** Claim with the role of a person. Null leaves roles to the workspaces. */
  roleClaim: string | null
}

/** Standard settings of OpenTelemetry. */
export interface TracingSettings {
  /** Base URL of the collector, without a slash at the end. Spans are sent to `/v1/traces` below it. */
  endpoint: string
  headers: Readonly<Record<string, string>>
  serviceName: string
  /** `ratio`, 0 to 1, is the share of traces that `traceidratio` samples. */
  sampler: { name: Sampler; ratio: number }
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
type Sampler = (typeof samplers)[number]

/** Records with a limited retention. */
export interface Retention {
  events: number | null
  /** Retention of deliveries and of their outbound events. */
  deliveries: number | null
  runs: number | null
  messages: number | null
  audit: number | null
  /** Retention of the beginnings of receivers' answers. */
  answers: number | null
}

/** Settings for the base URL of a messaging provider. A provider names its setting and its default. */
const providerUrlSettings = ['WHATSAPP_API_URL', 'TWILIO_API_URL'] as const
export type ProviderUrlSetting = (typeof providerUrlSettings)[number]
export type ProviderUrls = Readonly<Partial<Record<ProviderUrlSetting, string>>>

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

const logFormats = ['json', 'text'] as const
export type LogFormat = (typeof logFormats)[number]

/** Thrown for an invalid setting. The message is one sentence that names the setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Environment = Record<string, string | undefined>

/** Reads all settings. Throws ConfigError for the first invalid one. An empty value counts as unset. */
export const readConfig = (variables: Environment = process.env): Config => {
  const environment = readSecretFiles(variables)
  const names = new Set([...secretSettings, ...secretSettings.map(name => `${name}_FILE`)])
  const setting = (name: string): string | null => {
    names.add(name)
    return environment[name]?.trim() || null
  }
  const citus = setting('CELLS') === 'citus'
  const further = citus ? [] : cells(setting('CELLS'))
  if (citus && setting('DATABASE_URL') === null)
    throw new ConfigError('CELLS is citus but DATABASE_URL is not set. Set it to the coordinator of the cluster.')
  const config = {
    databaseUrl: databaseUrl('DATABASE_URL', setting('DATABASE_URL')),
    databaseDirectUrl: besideDatabase('DATABASE_DIRECT_URL', setting('DATABASE_DIRECT_URL'), setting('DATABASE_URL')),
    databaseReplicaUrl: besideDatabase(
      'DATABASE_REPLICA_URL',
      setting('DATABASE_REPLICA_URL'),
      setting('DATABASE_URL'),
    ),
    cells: further,
    citus,
    workspaceCell: workspaceCell(setting('WORKSPACE_CELL') ?? mainCell, citus ? null : further),
    databasePoolSize: databasePoolSize(setting('DATABASE_POOL_SIZE') ?? '20'),
    dataDir: setting('DATA_DIR') ?? '.data',
    host: host(setting('HOST') ?? '127.0.0.1'),
    port: port(setting('PORT')),
    httpKeepAlive: httpKeepAlive(setting('HTTP_KEEP_ALIVE') ?? '75s'),
    shutdownDelay: shutdownDelay(setting('SHUTDOWN_DELAY') ?? '0s'),
    metrics: metrics(setting('METRICS_PORT'), setting('METRICS_TOKEN'), port(setting('PORT'))),
    publicUrl: publicUrl(setting('PUBLIC_URL')),
    trustedProxies: trustedProxies(setting('TRUSTED_PROXIES')),
    secretsKeys: secretsKeys(setting('SECRETS_KEY')),
    providerUrls: Object.fromEntries(
      providerUrlSettings.flatMap(name => {
        const value = setting(name)
        return value === null ? [] : [[name, providerUrl(name, value)]]
      }),
    ),
    mail: mail(setting('SMTP_URL'), setting('MAIL_FROM')),
    oidc: oidc(
      setting('OIDC_ISSUER'),
      setting('OIDC_CLIENT_ID'),
      setting('OIDC_CLIENT_SECRET'),
      setting('OIDC_ROLE_CLAIM'),
    ),
    owner: owner(setting('OWNER_EMAIL'), environment.OWNER_PASSWORD || null),
    workspaceName: workspaceName(setting('WORKSPACE_NAME') ?? 'My workspace'),
    workspacePlan: setting('WORKSPACE_PLAN') ?? 'unlimited',
    webhookAllowedPrivateTargets: privateTargets(setting('WEBHOOK_ALLOWED_PRIVATE_TARGETS')),
    webhookRetryWaits: retryWaits(setting('WEBHOOK_RETRY_WAITS') ?? '1m,5m,30m,2h,6h,12h,24h'),
    webhookTimeout: webhookTimeout(setting('WEBHOOK_TIMEOUT') ?? '10s'),
    maxOutboundRequests: maxOutboundRequests(setting('BUN_CONFIG_MAX_HTTP_REQUESTS') ?? '256'),
    rateLimits: {
      key: rateLimit('RATE_LIMIT_KEY', setting('RATE_LIMIT_KEY') ?? '200/400'),
      person: rateLimit('RATE_LIMIT_PERSON', setting('RATE_LIMIT_PERSON') ?? '20/100'),
      callbacks: rateLimit('RATE_LIMIT_CALLBACKS', setting('RATE_LIMIT_CALLBACKS') ?? '1000/5000'),
      signInAttempts: attemptLimit(
        'RATE_LIMIT_SIGN_IN',
        'attempts per 10 minutes',
        setting('RATE_LIMIT_SIGN_IN') ?? '10',
      ),
      invitations: attemptLimit(
        'RATE_LIMIT_INVITATIONS',
        'invitations per day',
        setting('RATE_LIMIT_INVITATIONS') ?? '50',
      ),
    },
    retention: {
      events: retention('RETENTION_EVENTS', setting('RETENTION_EVENTS')),
      deliveries: retention('RETENTION_DELIVERIES', setting('RETENTION_DELIVERIES')),
      runs: retention('RETENTION_RUNS', setting('RETENTION_RUNS')),
      messages: retention('RETENTION_MESSAGES', setting('RETENTION_MESSAGES'), 8),
      audit: retention('RETENTION_AUDIT', setting('RETENTION_AUDIT')),
      answers: retention('RETENTION_ANSWERS', setting('RETENTION_ANSWERS') ?? '30d'),
    },
    roles: roles(setting('ROLES') ?? 'http,worker'),
    logLevel: logLevel(setting('LOG_LEVEL') ?? 'info'),
    logFormat: logFormat(setting('LOG_FORMAT') ?? 'json'),
    tracing: tracing({
      endpoint: setting('OTEL_EXPORTER_OTLP_ENDPOINT'),
      headers: setting('OTEL_EXPORTER_OTLP_HEADERS'),
      serviceName: setting('OTEL_SERVICE_NAME') ?? 'customer-engagement-service',
      sampler: setting('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on',
      ratio: setting('OTEL_TRACES_SAMPLER_ARG') ?? '1',
    }),
  }
  return { ...config, misspelled: misspelled(variables, [...names]) }
}

/**
 * Minimum length of a name for the spelling check. Shorter names resemble too many unrelated ones: HOME is similar to
 * HOST.
 */
const minCheckedLength = 8
const maxMisspelled = 10

/** Minimum length of a name that lacks a plural or the last words of a setting, such as ROLE or DATABASE_POOL. */
const minPrefixLength = 4
/** Variables of shells and build servers that are the first word of a setting. */
const unrelated = /^(?:MAIL|WORKSPACE)$/

/**
 * Finds misspelled settings, ignoring case. A name can have two mistakes: a wrong, missing or additional letter, or two
 * adjacent letters swapped. The plural or the last words can also be missing.
 */
const misspelled = (environment: Environment, settings: string[]): Config['misspelled'] => {
  const unset = settings.filter(name => !environment[name]?.trim())
  const unknown = Object.keys(environment).filter(name => !settings.includes(name))
  return unknown
    .flatMap(name => {
      const variables = name.toUpperCase()
      const meant =
        unset.find(one => one.length >= minCheckedLength && hasFewMistakes(variables, one)) ??
        unset.find(one => isPrefixOf(variables, one))
      return meant === undefined ? [] : [{ name, meant }]
    })
    .slice(0, maxMisspelled)
}

const maxMistakes = 2

/** Levenshtein distance, in which two swapped letters count as one mistake. */
const hasFewMistakes = (name: string, setting: string, max = maxMistakes): boolean =>
  Math.abs(name.length - setting.length) <= max &&
  (distance(name, setting) <= max || (max > 0 && swapsOf(name).some(one => hasFewMistakes(one, setting, max - 1))))

/** Returns the names that result from swapping two adjacent letters. */
const swapsOf = (name: string): string[] =>
  Array.from(name.slice(1), (_, at) => `${name.slice(0, at)}${name[at + 1]}${name[at]}${name.slice(at + 2)}`)

const isPrefixOf = (name: string, setting: string): boolean =>
  name.length >= minPrefixLength &&
  !unrelated.test(name) &&
  (setting === name.replace(/Y$/, 'IE').concat('S') || setting.startsWith(`${name}_`))

/**
 * Settings that hold a secret. Each can be read from a file instead, whose path is in the setting's name with `_FILE`.
 */
const secretSettings = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'CELLS',
  'OWNER_PASSWORD',
  'SECRETS_KEY',
  'SMTP_URL',
  'METRICS_TOKEN',
  'OIDC_CLIENT_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
]
/** Maximum bytes of such a file, so that a wrong path does not load a large file. */
const maxSecretBytes = 64 * 1024

const readSecretFiles = (environment: Environment): Environment => {
  const all = { ...environment }
  for (const name of secretSettings) {
    const path = environment[`${name}_FILE`]?.trim()
    if (!path) continue
    if (environment[name]?.trim()) throw new ConfigError(`Set ${name} or ${name}_FILE, not both.`)
    all[name] = readSecretFile(`${name}_FILE`, path)
  }
  return all
}

/** Removes the line break that editors and `echo` append. */
const readSecretFile = (name: string, path: string): string => {
  const secret = readContent(name, path).replace(/\r?\n$/, '')
  if (secret.trim() === '') throw new ConfigError(`${name} names the file ${path}, which is empty.`)
  return secret
}

const readContent = (name: string, path: string): string => {
  try {
    const stat = statSync(path)
    if (stat.isFile() && stat.size <= maxSecretBytes) return readFileSync(path, 'utf8')
  } catch {
    throw new ConfigError(`${name} must name a readable file, not ${path}.`)
  }
  throw new ConfigError(`${name} must name a file of at most ${maxSecretBytes / 1024} KiB, not ${path}.`)
}

/** Returns the URL of another way to the database. Throws if DATABASE_URL is not set. */
const besideDatabase = (name: string, value: string | null, main: string | null): string | null => {
  if (value !== null && main === null) throw new ConfigError(`${name} is set but DATABASE_URL is not. Set both.`)
  return databaseUrl(name, value)
}

const databaseUrl = (name: string, value: string | null): string | null => {
  if (value !== null && /^postgres(ql)?:\/\/([^/?#]*@)?[^/?#@]*,/.test(value))
    throw new ConfigError(
      `${name} names several hosts, which is not supported. Name one host that always leads to the same server.`,
    )
  if (value === null || (/^postgres(ql)?:\/\/.+/.test(value) && isDecodable(value))) return value
  // Omits the value, which contains a password.
  throw new ConfigError(
    `${name} must look like postgres://user:password@host:5432/database, with special characters percent-encoded.`,
  )
}

/** Name of the cell of DATABASE_URL. */
export const mainCell = 'main'

const maxCells = 32

/** Describes the names of further cells. */
export const cellNames = `A name has up to 31 lower-case letters, digits and _, begins with a letter, and is not "${mainCell}".`

/** Returns whether a further cell can have the name. */
export const isCellName = (name: string): boolean => /^[a-z][a-z0-9_]{0,30}$/.test(name) && name !== mainCell

/**
 * A separator at the end of a URL, in the name of its database or before another pair. It would become part of a name or
 * a parameter. In names, these characters are percent-encoded.
 */
const straySeparator = /[,;]$|^[a-z]+:\/\/[^/]*\/[^?#]*[\s,;]|[\s;][^=]*=postgres(?:ql)?:/

/** Parses `name=url` pairs, separated by commas. Errors never repeat a URL, because it contains a password. */
const cells = (value: string | null): CellConfig[] => {
  if (value === null) return []
  const found = value.split(/,\s*(?=[^=,]*=postgres(?:ql)?:)/).map(part => {
    const [name = '', url = ''] = part.split(/=(.*)/s)
    if (!isCellName(name) || straySeparator.test(url))
      throw new ConfigError(`CELLS must be citus, or name=postgres://… pairs, separated by commas. ${cellNames}`)
    return { name, url: databaseUrl(`The URL of the cell "${name}" in CELLS`, url)! }
  })
  if (['name', 'url'].some(field => new Set(found.map(cell => cell[field as 'name' | 'url'])).size < found.length))
    throw new ConfigError('CELLS must name each cell and each database once.')
  if (found.length > maxCells) throw new ConfigError(`CELLS must have at most ${maxCells} cells.`)
  return found
}

/** `others` is null if the database says what the cells are. */
const workspaceCell = (name: string, others: readonly CellConfig[] | null): string => {
  if (others === null) return name
  const names = [mainCell, ...others.map(cell => cell.name)]
  if (names.includes(name)) return name
  throw new ConfigError(`WORKSPACE_CELL must be one of ${names.join(', ')}, not "${name}".`)
}

/** Returns whether workspaces can be in several cells. */
export const hasCells = ({ cells, citus }: Pick<Config, 'cells' | 'citus'>): boolean => citus || cells.length > 0

const databasePoolSize = (value: string): number => {
  if (/^\d{1,3}$/.test(value) && Number(value) >= 10 && Number(value) <= 500) return Number(value)
  throw new ConfigError(`DATABASE_POOL_SIZE must be a whole number from 10 to 500, not "${value}".`)
}

const isDecodable = (url: string): boolean => {
  try {
    const { username, password, pathname } = new URL(
      url.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=\/)/, '$1localhost'),
    )
    decodeURIComponent(username + password + pathname)
    return true
  } catch {
    return false
  }
}

const port = (value: string | null): number => {
  if (value === null) return 3000
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65535) return Number(value)
  throw new ConfigError(`PORT must be a whole number from 0 to 65535, not "${value}".`)
}

const metrics = (ownPort: string | null, token: string | null, servicePort: number): Config['metrics'] => {
  if (ownPort !== null && !(/^\d{1,5}$/.test(ownPort) && Number(ownPort) <= 65535))
    throw new ConfigError(`METRICS_PORT must be a whole number from 0 to 65535, not "${ownPort}".`)
  if (ownPort !== null && Number(ownPort) !== 0 && Number(ownPort) === servicePort)
    throw new ConfigError('METRICS_PORT must differ from PORT. Leave it unset to serve /metrics on PORT.')
  // Omits the value, which is a secret.
  if (token !== null && !/^[\x21-\x7e]{16,1000}$/.test(token))
    throw new ConfigError('METRICS_TOKEN must have 16 to 1000 characters of ASCII without spaces.')
  return { port: ownPort === null ? null : Number(ownPort), token }
}

const host = (value: string): string => {
  const isName = /^[a-z0-9.-]+$/i.test(value) && URL.canParse(`http://${value}`)
  if (isName || isIPv6(value)) return value
  throw new ConfigError(`HOST must be a host name or an IP address to listen on, such as 0.0.0.0, not "${value}".`)
}

const publicUrl = (value: string | null): string | null => {
  if (value === null) return null
  const url = baseAddress(value)
  if (url !== null) return url
  throw new ConfigError(`PUBLIC_URL must be an address such as https://engage.example.com, not "${value}".`)
}

/** Removes trailing slashes. Returns null if the value is not a URL, or has more than a base address. */
const baseAddress = (value: string): string | null => {
  const url = /^https?:\/\//.test(value) ? URL.parse(value) : null
  return url && !url.username && !url.password && !/[?#]/.test(value) ? value.replace(/\/+$/, '') : null
}

const trustedProxies = (value: string | null): string[] => list(value).map(parseNetwork)

/**
 * Parses a network. A single address is a network of one. Short forms such as `10.1` are rejected, because programs
 * read them differently.
 */
const parseNetwork = (text: string): string => {
  const address = text.split('/', 1)[0]!
  const bits = ipaddr.IPv4.isValidFourPartDecimal(address) ? 32 : isIPv6(address) ? 128 : null
  const network = text.includes('/') ? text : `${text}/${bits}`
  if (bits !== null && !address.includes('%') && ipaddr.isValidCIDR(network)) return network
  throw new ConfigError(
    `TRUSTED_PROXIES must be addresses and networks of proxies, separated by commas, such as 10.0.0.0/8, not "${text}".`,
  )
}

const providerUrl = (name: string, value: string): string => {
  const url = baseAddress(value)
  if (url !== null) return url
  throw new ConfigError(`${name} must be the base URL of the provider, such as https://api.example.com.`)
}

/** Errors never repeat the value, because it is the secret. */
const secretsKeys = (value: string | null): Uint8Array[] => {
  if (value === null) return []
  const keys = value.split(',').map(part => parseKey(part.trim()))
  if (keys.every(key => key !== null)) return keys
  throw new ConfigError(
    'SECRETS_KEY must be 32 bytes in base64, for example from `openssl rand -base64 32`. Several keys are separated by commas, the newest first.',
  )
}

const parseKey = (text: string): Uint8Array | null => {
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null
  const bytes = Buffer.from(text, 'base64')
  return bytes.byteLength === 32 ? new Uint8Array(bytes) : null
}

/** Errors never repeat the URL, because it may contain a password. */
const mail = (url: string | null, from: string | null): Config['mail'] => {
  if (url === null && from === null) return null
  if (url === null) throw new ConfigError('MAIL_FROM is set but SMTP_URL is not. Set both or neither.')
  if (from === null) throw new ConfigError('SMTP_URL is set but MAIL_FROM is not. Set both or neither.')
  if (!/^smtps?:\/\/[^/?#]+\/?(\?[^#]*)?$/.test(url) || !isDecodable(url) || URL.parse(url)?.hostname === '')
    throw new ConfigError(
      'SMTP_URL must look like smtp://user:password@mail.example.com:587 or smtps://…, with special characters percent-encoded.',
    )
  if (
    /[\r\n]/.test(from) ||
    !/^([^<>]*<[^\s@<>,;]+@[^\s@<>,;]+>|[^\s@<>,;]+@[^\s@<>,;]+)$/.test(from) ||
    from.length > 320
  )
    throw new ConfigError(
      `MAIL_FROM must be an address such as engage@example.com, or Shop <engage@example.com>, not "${from}".`,
    )
  return { url, from }
}

/** Errors never repeat the secret. Plain http is only for a provider on this machine. */
const oidc = (
  issuer: string | null,
  clientId: string | null,
  clientSecret: string | null,
  roleClaim: string | null,
): OidcConfig | null => {
  const others = { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_ROLE_CLAIM: roleClaim }
  const given = Object.entries(others).find(([, value]) => value !== null)
  if (issuer === null && given === undefined) return null
  if (issuer === null) throw new ConfigError(`${given![0]} is set but OIDC_ISSUER is not. Set both or neither.`)
  if (clientId === null) throw new ConfigError('OIDC_ISSUER is set but OIDC_CLIENT_ID is not. Set both or neither.')
  const url = baseAddress(issuer) === null ? null : new URL(issuer)
  const isLocal = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url === null || (url.protocol !== 'https:' && !isLocal))
    throw new ConfigError(`OIDC_ISSUER must be an https address such as https://login.example.com, not "${issuer}".`)
  if (roleClaim !== null && roleClaim.length > 200)
    throw new ConfigError('OIDC_ROLE_CLAIM must be the name of a claim, with at most 200 characters.')
  return { issuer, clientId, clientSecret, roleClaim }
}

const owner = (email: string | null, password: string | null): Config['owner'] => {
  if (email === null && password === null) return null
  if (email === null) throw new ConfigError('OWNER_PASSWORD is set but OWNER_EMAIL is not. Set both or neither.')
  if (password === null) throw new ConfigError('OWNER_EMAIL is set but OWNER_PASSWORD is not. Set both or neither.')
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 320)
    throw new ConfigError(`OWNER_EMAIL must be an e-mail address, not "${email}".`)
  if (password.length < 12 || password.length > 1000)
    throw new ConfigError('OWNER_PASSWORD must have 12 to 1000 characters.')
  return { email, password }
}

const workspaceName = (value: string): string => {
  if (value.length <= 100) return value
  throw new ConfigError(`WORKSPACE_NAME must have at most 100 characters, not ${value.length}.`)
}

const privateTargets = (value: string | null): ReadonlySet<string> => {
  const targets = list(value)
  for (const target of targets) {
    const port = /^(?:\[[0-9a-f:]+\]|[a-z0-9.-]+):(\d{1,5})$/i.exec(target)?.[1]
    if (port === undefined || Number(port) < 1 || Number(port) > 65535) {
      throw new ConfigError(
        `WEBHOOK_ALLOWED_PRIVATE_TARGETS must be host:port pairs, separated by commas, such as localhost:8080, with ports from 1 to 65535, not "${target}".`,
      )
    }
  }
  return new Set(targets.map(target => target.toLowerCase()))
}

const retryWaits = (value: string): number[] => {
  const parts = list(value)
  const waits = parts.map(milliseconds)
  const invalid = parts.find((_, index) => !(waits[index]! <= maxWaitMs))
  if (waits.length === 7 && invalid === undefined) return waits
  const fault = invalid === undefined ? `${waits.length} were given` : `"${invalid}" is not valid`
  throw new ConfigError(
    `WEBHOOK_RETRY_WAITS must be seven durations separated by commas, up to 365d each, such as 1m,5m,30m,2h,6h,12h,24h. Units are ms, s, m, h and d; ${fault}.`,
  )
}

const webhookTimeout = (value: string): number => {
  const ms = milliseconds(value)
  if (ms >= 100 && ms <= 60_000) return ms
  throw new ConfigError(`WEBHOOK_TIMEOUT must be a time from 100ms to 60s, such as 10s, not "${value}".`)
}

/** Bun accepts at most 255 seconds. */
const httpKeepAlive = (value: string): number => {
  const ms = milliseconds(value)
  if (ms >= 10_000 && ms <= 240_000) return ms
  throw new ConfigError(`HTTP_KEEP_ALIVE must be a time from 10s to 4m, such as 75s, not "${value}".`)
}

const shutdownDelay = (value: string): number => {
  const ms = value === '0' ? 0 : milliseconds(value)
  if (ms >= 0 && ms <= 300_000) return ms
  throw new ConfigError(`SHUTDOWN_DELAY must be a time from 0s to 5m, such as 5s, not "${value}".`)
}

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const maxWaitMs = 365 * unitMs.d

/** Parses a duration. Returns NaN for an invalid one. */
export const milliseconds = (value: string): number => {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(value)
  return match ? Number(match[1]) * unitMs[match[2] as keyof typeof unitMs] : Number.NaN
}

const maxOutboundRequests = (value: string): number => {
  if (/^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65535) return Number(value)
  throw new ConfigError(`BUN_CONFIG_MAX_HTTP_REQUESTS must be a whole number from 1 to 65535, not "${value}".`)
}

const rateLimit = (name: string, value: string): RateLimit | null => {
  if (value === '0') return null
  const match = /^(\d{1,7})\/(\d{1,7})$/.exec(value)
  const [perSecond, burst] = [Number(match?.[1]), Number(match?.[2])]
  if (match && perSecond > 0 && burst > 0) return { perSecond, burst }
  throw new ConfigError(`${name} must be rate/burst such as 200/400, or 0 to turn it off, not "${value}".`)
}

const attemptLimit = (name: string, unit: string, value: string): number | null => {
  if (/^\d{1,6}$/.test(value)) return Number(value) || null
  throw new ConfigError(`${name} must be a number of ${unit}, or 0 to turn it off, not "${value}".`)
}

/**
 * `minDays` is the minimum. It exceeds one week for messages, because providers report on a message again for a week.
 */
const retention = (name: string, value: string | null, minDays = 1): number | null => {
  if (value === null || value === 'forever') return null
  const days = parseDays(value)
  if (days >= minDays && days <= maxRetentionDays) return days * unitMs.d
  const minimum = minDays === 1 ? '1 day' : `${minDays} days`
  throw new ConfigError(
    `${name} must be forever or a time from ${minimum} to 100 years, such as 90d, P90D, P6M or P1Y, not "${value}".`,
  )
}

const maxRetentionDays = 36_600

/**
 * Returns the days of `90d`, `P1Y6M`, `P2W` and similar values. A year counts as 366 days and a month as 31. Returns
 * NaN for an invalid value.
 */
const parseDays = (value: string): number => {
  const plain = /^(\d{1,6})d$/.exec(value)
  if (plain) return Number(plain[1])
  const parts = /^P(?=\d)(?:(\d{1,3})Y)?(?:(\d{1,4})M)?(?:(\d{1,5})W)?(?:(\d{1,6})D)?$/.exec(value)
  if (!parts) return Number.NaN
  const [years = 0, months = 0, weeks = 0, days = 0] = parts.slice(1).map(part => Number(part ?? 0))
  return years * 366 + months * 31 + weeks * 7 + days
}

const roles = (value: string): Config['roles'] => {
  const named = list(value)
  const unknown = named.find(role => role !== 'http' && role !== 'worker')
  if (named.length > 0 && unknown === undefined)
    return { http: named.includes('http'), worker: named.includes('worker') }
  throw new ConfigError(`ROLES must be http, worker or http,worker, not "${value}".`)
}

const logLevel = (value: string): LogLevel => {
  const level = logLevels.find(known => known === value.toLowerCase())
  if (level) return level
  throw new ConfigError(`LOG_LEVEL must be one of ${logLevels.join(', ')}, not "${value}".`)
}

const tracing = (
  settings: Record<'serviceName' | 'sampler' | 'ratio', string> & Record<'endpoint' | 'headers', string | null>,
): Config['tracing'] => {
  if (settings.endpoint === null) return null
  if (!/^https?:\/\/[^\s/?#@]+[^\s?#]*$/.test(settings.endpoint) || !URL.canParse(settings.endpoint))
    throw new ConfigError(
      `OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL, such as http://localhost:4318, not "${settings.endpoint}".`,
    )
  const name = samplers.find(known => known === settings.sampler)
  if (!name)
    throw new ConfigError(`OTEL_TRACES_SAMPLER must be one of ${samplers.join(', ')}, not "${settings.sampler}".`)
  const ratio = Number(settings.ratio)
  if (!(ratio >= 0 && ratio <= 1))
    throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${settings.ratio}".`)
  const { serviceName } = settings
  const endpoint = settings.endpoint.replace(/\/+$/, '')
  return { endpoint, headers: tracingHeaders(settings.headers), serviceName, sampler: { name, ratio } }
}

/** Parses `name=value` pairs, separated by commas, whose values are percent-encoded. The error names no value. */
const tracingHeaders = (value: string | null): Record<string, string> => {
  const pairs = list(value).map(pair => /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)=([\x21-\x7e]+)$/.exec(pair))
  try {
    return Object.fromEntries(pairs.map(pair => [pair![1]!, decodeURIComponent(pair![2]!)]))
  } catch {
    throw new ConfigError('OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs, separated by commas.')
  }
}

const logFormat = (value: string): LogFormat => {
  const format = logFormats.find(known => known === value.toLowerCase())
  if (format) return format
  throw new ConfigError(`LOG_FORMAT must be json or text, not "${value}".`)
}

const list = (value: string | null): string[] =>
  (value ?? '')
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
