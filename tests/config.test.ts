import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError, readConfig } from '../src/config.ts'

test('without settings, every value has its documented default', () => {
  expect(readConfig({})).toEqual({
    databaseUrl: null,
    databaseDirectUrl: null,
    databaseReplicaUrl: null,
    cells: [],
    citus: false,
    workspaceCell: 'main',
    databasePoolSize: 20,
    dataDir: '.data',
    host: '127.0.0.1',
    port: 3000,
    httpKeepAlive: 75_000,
    shutdownDelay: 0,
    metrics: { port: null, token: null },
    publicUrl: null,
    trustedProxies: [],
    secretsKeys: [],
    providerUrls: {},
    mail: null,
    oidc: null,
    owner: null,
    workspaceName: 'My workspace',
    workspacePlan: 'unlimited',
    webhookAllowedPrivateTargets: new Set(),
    webhookRetryWaits: [60e3, 300e3, 1800e3, 7200e3, 21_600e3, 43_200e3, 86_400e3],
    webhookTimeout: 10_000,
    maxOutboundRequests: 256,
    rateLimits: {
      key: { perSecond: 200, burst: 400 },
      person: { perSecond: 20, burst: 100 },
      callbacks: { perSecond: 1000, burst: 5000 },
      signInAttempts: 10,
      invitations: 50,
    },
    retention: { events: null, deliveries: null, runs: null, messages: null, audit: null, answers: 30 * 86_400e3 },
    roles: { http: true, worker: true },
    logLevel: 'info',
    logFormat: 'json',
    tracing: null,
    misspelled: [],
  })
})

test.each(
  `DATABSE_URL=DATABASE_URL database_url=DATABASE_URL WEBHOOKS_TIMEOUT=WEBHOOK_TIMEOUT RETENTION_EVENT=RETENTION_EVENTS
  OWNER_PASWORD=OWNER_PASSWORD SECRETS_KEY_FIEL=SECRETS_KEY_FILE LOG_LEVLE=LOG_LEVEL DATABSE_ULR=DATABASE_URL
  DTAABASE_ULR=DATABASE_URL TRUSTD_PORXIES=TRUSTED_PROXIES SECERTS_KYE=SECRETS_KEY TRUSTED_PROXY=TRUSTED_PROXIES
  ROLE=ROLES DATABASE_POOL=DATABASE_POOL_SIZE WEBHOOK_RETRY=WEBHOOK_RETRY_WAITS smtp=SMTP_URL`.split(/\s+/),
)('recognises a misspelling: %s', row => {
  const [name, meant] = row.split('=')
  expect(readConfig({ [name!]: 'x' }).misspelled).toEqual([{ name: name!, meant: meant! }])
})

test('names that common environments set are not misspellings', () => {
  const common = `PATH HOME HOST_OS HOSTNAME HOSTTYPE MAIL MAILCHECK WORKSPACE USER LOGNAME LOG PWD OLDPWD SHELL SHLVL
    TERM LANG LANGUAGE TZ TMPDIR EDITOR PAGER DISPLAY CI DEBUG NODE_ENV BUN_INSTALL DENO_DIR HTTP_PROXY HTTPS_PROXY
    NO_PROXY http_proxy PORTS HOSTS DATA_PATH KUBERNETES_PORT KUBERNETES_SERVICE_HOST POSTGRES_URL PGHOST PGPORT
    PGDATABASE POSTGRES_PASSWORD AWS_REGION XDG_DATA_DIRS XDG_RUNTIME_DIR SSH_AUTH_SOCK INVOCATION_ID JOURNAL_STREAM
    DATABASE_HOST DATABASE_PORT DATABASE_NAME DATABASE_USER DATABASE_PASSWORD DATABASE_SCHEMA DB_URL REDIS_URL
    POSTGRES_USER POSTGRES_DB POSTGRES_HOST PGUSER PGPASSWORD PGSSLMODE KUBERNETES_SERVICE_PORT KUBERNETES_PORT_443_TCP
    NODE_OPTIONS NODE_PATH SMTP_HOST SMTP_PORT SMTP_USER SMTP_PASSWORD MAIL_HOST LOG_FILE
    SECRET_KEY_BASE OWNER_ID PUBLIC_KEY WEBHOOK_URL OTEL_SERVICE_NAME
    container GITHUB_WORKSPACE RUNNER_TEMP BUILD_URL JOB_NAME`.split(/\s+/)
  expect(readConfig(Object.fromEntries(common.map(name => [name, 'x']))).misspelled).toEqual([])
})

test('a name similar to a setting that is set is not a misspelling, and at most ten are reported', () => {
  const both = { DATABASE_URL: 'postgres://u:p@db/x', DATABASE_URI: 'postgres://u:p@db/x' }
  expect(readConfig(both).misspelled).toEqual([])
  const many = Object.fromEntries(
    Array.from({ length: 26 }, (_, n) => [`DATABASE_URL${String.fromCharCode(65 + n)}`, 'x']),
  )
  expect(readConfig(many).misspelled).toHaveLength(10)
})

test('parses settings in their documented forms', () => {
  const config = readConfig({
    DATABASE_URL: 'postgresql://u:p@db/x',
    PORT: '0',
    METRICS_PORT: '9464',
    METRICS_TOKEN: 'a-token-of-its-own',
    PUBLIC_URL: 'https://engage.example.com/',
    SECRETS_KEY: `${Buffer.alloc(32, 1).toString('base64')}, ${Buffer.alloc(32, 2).toString('base64')}`,
    TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,2001:db8::1',
    TWILIO_API_URL: 'http://127.0.0.1:8080/',
    SMTP_URL: 'smtps://user:p%40ss@mail.example.com:465',
    MAIL_FROM: 'Shop <engage@example.com>',
    OWNER_EMAIL: 'a@b.example',
    OWNER_PASSWORD: 'long enough for all',
    WEBHOOK_ALLOWED_PRIVATE_TARGETS: 'Localhost:8080, [::1]:9000',
    WEBHOOK_RETRY_WAITS: '1s,2s,3s,4s,5s,6s,1d',
    WEBHOOK_TIMEOUT: '500ms',
    RATE_LIMIT_KEY: '0',
    RATE_LIMIT_PERSON: '5/10',
    RATE_LIMIT_SIGN_IN: '0',
    RATE_LIMIT_CALLBACKS: '7/9',
    RATE_LIMIT_INVITATIONS: '7',
    RETENTION_EVENTS: '90d',
    RETENTION_DELIVERIES: 'P2W',
    RETENTION_RUNS: 'P1Y6M3D',
    RETENTION_MESSAGES: 'P8D',
    RETENTION_AUDIT: 'forever',
    RETENTION_ANSWERS: '1d',
    ROLES: 'worker',
    LOG_LEVEL: 'WARN',
  })
  expect(config).toMatchObject({
    port: 0,
    metrics: { port: 9464, token: 'a-token-of-its-own' },
    publicUrl: 'https://engage.example.com',
    secretsKeys: [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)],
    trustedProxies: ['127.0.0.1/32', '10.0.0.0/8', '2001:db8::1/128'],
    providerUrls: { TWILIO_API_URL: 'http://127.0.0.1:8080' },
    mail: { url: 'smtps://user:p%40ss@mail.example.com:465', from: 'Shop <engage@example.com>' },
    owner: { email: 'a@b.example', password: 'long enough for all' },
    webhookRetryWaits: [1e3, 2e3, 3e3, 4e3, 5e3, 6e3, 86_400e3],
    webhookTimeout: 500,
    rateLimits: {
      key: null,
      person: { perSecond: 5, burst: 10 },
      signInAttempts: null,
      invitations: 7,
      callbacks: { perSecond: 7, burst: 9 },
    },
    retention: {
      events: 90 * 86_400e3,
      deliveries: 14 * 86_400e3,
      runs: (366 + 6 * 31 + 3) * 86_400e3,
      messages: 8 * 86_400e3,
      audit: null,
      answers: 86_400e3,
    },
    roles: { http: false, worker: true },
    logLevel: 'warn',
  })
  expect([...config.webhookAllowedPrivateTargets]).toEqual(['localhost:8080', '[::1]:9000'])
})

test('CELLS names further databases', () => {
  const { cells, workspaceCell } = readConfig({
    CELLS: 'b=postgres://u:p=q@h/d?sslmode=disable, c2=postgresql://h/e',
    WORKSPACE_CELL: 'c2',
  })
  expect(cells).toEqual([
    { name: 'b', url: 'postgres://u:p=q@h/d?sslmode=disable' },
    { name: 'c2', url: 'postgresql://h/e' },
  ])
  expect(workspaceCell).toBe('c2')
})

test.each([
  'b=postgres://h/d,',
  'b=postgres://h/d;',
  'b=postgres://h/d, ,c=postgres://h/e',
  'b=postgres://h/d;c=postgres://h/e',
  'b=postgres://h/d c=postgres://h/e',
  'b=postgres://h/d?application_name=x,',
  'b=postgres://h/d?application_name=x;c=postgres://h/e',
  'b=postgres://h/d,c=mysql://h/e',
  'b=postgres://h/d,c',
])('CELLS=%s is refused with the format', value => {
  expect(() => readConfig({ CELLS: value })).toThrow(
    'CELLS must be citus, or name=postgres://… pairs, separated by commas.',
  )
})

test('a comma can be part of a parameter or an encoded name', () => {
  const urls = ['postgres://u:p;w@h/d', 'postgres://h/d%2C1?options=-csearch_path=a,b']
  const { cells } = readConfig({ CELLS: `b=${urls[0]},c=${urls[1]}` })
  expect(cells.map(({ url }) => url)).toEqual(urls)
})

test('CELLS=citus leaves the cells to the database', () => {
  const config = readConfig({ CELLS: 'citus', DATABASE_URL: 'postgres://h/d', WORKSPACE_CELL: 'eu' })
  expect(config).toMatchObject({ cells: [], citus: true, workspaceCell: 'eu' })
})

describe('explains an invalid setting in one sentence', () => {
  const expectExplained = (environment: Record<string, string>, name: string) => {
    const read = () => readConfig(environment)
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(new RegExp(`\\b${name}\\b.*\\.$`))
  }

  const invalid = `
    DATABASE_URL=mysql://x; DATABASE_URL=postgres://[; DATABASE_URL=postgres://user:100%@db/x; PORT=http
    CELLS=b; CELLS=citus; CELLS=main=postgres://h/d; CELLS=B=postgres://h/d; CELLS=b=postgres://h/d,b=postgres://h/e
    CELLS=b=postgres://h/d,c=postgres://h/d; CELLS=b=mysql://h/d; WORKSPACE_CELL=b
    PORT=65536; METRICS_PORT=65536; METRICS_PORT=3000; METRICS_TOKEN=short
    METRICS_TOKEN=sixteen and more characters; PUBLIC_URL=engage.example.com
    PUBLIC_URL=https://user:word@engage.example.com; PUBLIC_URL=https://engage.example.com/?a
    TRUSTED_PROXIES=proxy.internal; TRUSTED_PROXIES=10.0.0.0/33; TRUSTED_PROXIES=10.1; SECRETS_KEY=short
    WHATSAPP_API_URL=graph.facebook.com; WHATSAPP_API_URL=https://user:word@graph.facebook.com
    TWILIO_API_URL=https://api.twilio.com/?a; HOST=300.1.1.1; HOST=127.0.0.1:80; HOST=http://0.0.0.0
    HOST=two words; WEBHOOK_ALLOWED_PRIVATE_TARGETS=localhost; WEBHOOK_ALLOWED_PRIVATE_TARGETS=a:99999
    WEBHOOK_ALLOWED_PRIVATE_TARGETS=a:80,[::1]:0; WEBHOOK_RETRY_WAITS=1m,5m; WEBHOOK_RETRY_WAITS=1,2,3,4,5,6,7
    WEBHOOK_RETRY_WAITS=1s,2s,3s,4s,5s,6s,366d; RETENTION_EVENTS=0d; RETENTION_EVENTS=90; RETENTION_EVENTS=12h
    RETENTION_DELIVERIES=P; RETENTION_DELIVERIES=PT24H; RETENTION_RUNS=never; RETENTION_MESSAGES=7d
    RETENTION_AUDIT=P101Y; RETENTION_ANSWERS=-1d; WEBHOOK_TIMEOUT=10; HTTP_KEEP_ALIVE=5s; HTTP_KEEP_ALIVE=255s
    SHUTDOWN_DELAY=5; SHUTDOWN_DELAY=6m; BUN_CONFIG_MAX_HTTP_REQUESTS=0; BUN_CONFIG_MAX_HTTP_REQUESTS=many
    WEBHOOK_TIMEOUT=2m; RATE_LIMIT_KEY=200; RATE_LIMIT_PERSON=off; RATE_LIMIT_SIGN_IN=-1
    RATE_LIMIT_CALLBACKS=-1; RATE_LIMIT_INVITATIONS=many; ROLES=web; LOG_LEVEL=loud; LOG_FORMAT=xml`
  test.each(invalid.trim().split(/; |\n */))('%s', row => {
    const [name, value] = row.split(/=(.*)/) as [string, string]
    expectExplained({ [name]: value }, name)
  })

  test.each<[Record<string, string>, string]>([
    [{ SECRETS_KEY: `${Buffer.alloc(32).toString('base64')},` }, 'SECRETS_KEY'],
    [{ SECRETS_KEY: Buffer.alloc(33).toString('base64') }, 'SECRETS_KEY'],
    [{ SMTP_URL: 'smtp://mail.example.com' }, 'MAIL_FROM'],
    [{ MAIL_FROM: 'engage@example.com' }, 'SMTP_URL'],
    [{ SMTP_URL: 'https://mail.example.com', MAIL_FROM: 'engage@example.com' }, 'SMTP_URL'],
    [{ SMTP_URL: 'smtp://', MAIL_FROM: 'engage@example.com' }, 'SMTP_URL'],
    [{ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'engage' }, 'MAIL_FROM'],
    [{ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'a@b.example, c@d.example' }, 'MAIL_FROM'],
    [{ OWNER_EMAIL: 'a@b.example' }, 'OWNER_PASSWORD'],
    [{ OWNER_PASSWORD: 'long enough for all' }, 'OWNER_EMAIL'],
    [{ OWNER_EMAIL: 'nobody', OWNER_PASSWORD: 'long enough for all' }, 'OWNER_EMAIL'],
    [{ OWNER_EMAIL: 'a@b.example', OWNER_PASSWORD: 'twelve less' }, 'OWNER_PASSWORD'],
    [{ OWNER_EMAIL: 'a@b.example', OWNER_PASSWORD: 'x'.repeat(1001) }, 'OWNER_PASSWORD'],
    [{ WORKSPACE_NAME: 'x'.repeat(101) }, 'WORKSPACE_NAME'],
  ])('%j', expectExplained)

  const waitsWanted =
    'WEBHOOK_RETRY_WAITS must be seven durations separated by commas, up to 365d each, such as 1m,5m,30m,2h,6h,12h,24h. Units are ms, s, m, h and d;'
  test.each([
    ['1m,5m', '2 were given.'],
    ['1,5m,30m,2h,6h,12h,24h', '"1" is not valid.'],
    ['1m,5m,30m,2h,6h,12h,one day', '"one day" is not valid.'],
  ])('WEBHOOK_RETRY_WAITS=%s: explains the format and the error', (waits, fault) => {
    expect(() => readConfig({ WEBHOOK_RETRY_WAITS: waits })).toThrow(`${waitsWanted} ${fault}`)
  })

  const shortKey = Buffer.alloc(31, 7).toString('base64')
  test.each([
    ['DATABASE_URL', 'postgres://user:secret%@db/x', 'secret'],
    ['SECRETS_KEY', shortKey, shortKey],
  ])('does not show the secret of %s', (name, value, secret) => {
    const read = () => readConfig({ [name]: value })
    expect(read).toThrow(ConfigError)
    expect(read).not.toThrow(secret)
  })
})

describe('a secret can be in a file that its setting with _FILE names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const fileOf = (name: string, content: string): string => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }
  const key = Buffer.alloc(32, 1).toString('base64')

  test('reads the whole file without the final line break', () => {
    const config = readConfig({
      DATABASE_URL_FILE: fileOf('url', 'postgres://u:p@db/x\n'),
      OWNER_EMAIL: 'a@b.example',
      OWNER_PASSWORD: '',
      OWNER_PASSWORD_FILE: fileOf('password', ' long enough \r\n'),
      SECRETS_KEY_FILE: fileOf('key', `${key}\n`),
      METRICS_TOKEN_FILE: fileOf('token', 'a-token-of-its-own'),
      SMTP_URL_FILE: fileOf('smtp', 'smtp://us:secret@mail.example.com\n'),
      MAIL_FROM: 'shop@example.com',
    })
    expect(config).toMatchObject({
      databaseUrl: 'postgres://u:p@db/x',
      owner: { email: 'a@b.example', password: ' long enough ' },
      secretsKeys: [new Uint8Array(32).fill(1)],
      metrics: { token: 'a-token-of-its-own' },
      mail: { url: 'smtp://us:secret@mail.example.com' },
    })
  })

  test.each([
    [{ SECRETS_KEY: key, SECRETS_KEY_FILE: '/x' }, 'Set SECRETS_KEY or SECRETS_KEY_FILE, not both.'],
    [{ OWNER_PASSWORD_FILE: '/no/such/file' }, 'OWNER_PASSWORD_FILE must name a readable file, not /no/such/file.'],
    [{ DATABASE_URL_FILE: '/' }, 'DATABASE_URL_FILE must name a file of at most 64 KiB, not /.'],
    [{ METRICS_TOKEN_FILE: '/dev/zero' }, 'METRICS_TOKEN_FILE must name a file of at most 64 KiB, not /dev/zero.'],
  ])('explains %j in one sentence', (settings, sentence) => {
    expect(() => readConfig(settings as Record<string, string>)).toThrow(new ConfigError(sentence))
  })

  test('reports an empty file, and does not repeat an invalid secret', () => {
    const empty = fileOf('empty', '\n')
    expect(() => readConfig({ SECRETS_KEY_FILE: empty })).toThrow(`SECRETS_KEY_FILE names the file ${empty}, which`)
    const read = () => readConfig({ SECRETS_KEY_FILE: fileOf('wrong', 'no such key') })
    expect(read).toThrow(/^SECRETS_KEY must/)
    expect(read).not.toThrow(/no such key/)
  })
})
