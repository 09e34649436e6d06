import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { readConfig } from '../../src/config.ts'

const root = resolve(import.meta.dirname, '../..')

interface Service {
  image?: string
  build?: string
  environment: Record<string, string>
  volumes?: string[]
  [setting: string]: unknown
}

const { services, secrets: files } = Bun.YAML.parse(readFileSync(resolve(root, 'deploy/compose.yaml'), 'utf8')) as {
  services: Record<'migrate' | 'service' | 'postgres', Service>
  secrets: Record<string, { file: string }>
}

const { services: cluster } = Bun.YAML.parse(readFileSync(resolve(root, 'deploy/compose.citus.yaml'), 'utf8')) as {
  services: Record<string, Service>
}
/** Containers that the file for Citus adds or replaces. It only adds settings to the others. */
const nodes = Object.entries(cluster).filter(([, { image }]) => image !== undefined)

test.each([...Object.entries(services), ...nodes])(
  'the container %s is restricted, keeps a limited log, and is pinned',
  (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      pids_limit: expect.any(Number),
      mem_limit: expect.any(String),
      cpus: expect.any(Number),
    })
    expect(service).not.toHaveProperty('privileged')
    const options = { 'max-size': expect.stringMatching(/^\d+m$/), 'max-file': expect.stringMatching(/^\d+$/) }
    expect(service.logging).toEqual({ driver: 'json-file', options })
    if (service.build === undefined) expect(service.image).toMatch(/:\d+\.\d+(\.\d+)?(-\w+)?(@sha256:[0-9a-f]{64})?$/)
    for (const volume of service.volumes?.filter(one => one.startsWith('./')) ?? [])
      expect(existsSync(resolve(root, volume.split(':', 1)[0]!)), volume).toBe(true)
  },
)

test('each secret can be a file, mounted where the service reads it', () => {
  const { environment, secrets } = services.service
  for (const [name, secret] of [
    ['OWNER_PASSWORD', 'owner_password'],
    ['SECRETS_KEY', 'secrets_key'],
  ] as const) {
    // Empty if it is not set. Neither is required, because one of the two is enough.
    expect(environment[name]).toBe(`\${${name}:-}`)
    expect(environment[`${name}_FILE`]).toBe(`\${${name}_FILE:+/run/secrets/${secret}}`)
    expect(files[secret]).toEqual({ file: `\${${name}_FILE:-/dev/null}` })
    expect(secrets).toContain(secret)
  }
})

test('passes every setting of logs, metrics, traces and the standby, and an empty one counts as unset', () => {
  const source = readFileSync(resolve(root, 'src/config.ts'), 'utf8')
  const found = source.matchAll(/setting\('((?:LOG|METRICS|OTEL)_\w+|DATABASE_REPLICA_URL)'\)/g)
  const names = [...new Set([...found].map(([, name]) => name!))]
  expect(names.length).toBeGreaterThan(8)
  const { environment } = services.service
  for (const name of names) expect(environment[name]).toBe(`\${${name}:-}`)
  expect(readConfig(Object.fromEntries(names.map(name => [name, ''])))).toEqual(readConfig({}))
})

test('the service uses one database role, and another one migrates before it', () => {
  expect(services.migrate.environment.DATABASE_URL).toContain('//engagement_migrating:')
  expect(services.service.environment.DATABASE_URL).toContain('//engagement_running:')
  expect(services.service.depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } })
})

test('configures the PostgreSQL log as docs/security.md asks', () => {
  const security = readFileSync(resolve(root, 'docs/security.md'), 'utf8')
  const asked = [...security.matchAll(/`(log_\w+) = (-?\w+)`/g)].map(([, name, value]) => `${name}=${value}`)
  expect(asked).toContain('log_error_verbosity=terse')
  const settingsOf = ({ command }: Service) => {
    const [program, ...options] = command as string[]
    const pairs = options.join(' ').split(/ ?-c /).filter(Boolean)
    expect([program, ...options]).toEqual(['postgres', ...pairs.flatMap(pair => ['-c', pair])])
    return pairs.sort()
  }
  expect(settingsOf(services.postgres)).toEqual(asked.sort())
  const forCitus = ['shared_preload_libraries=citus', 'wal_level=logical', 'max_prepared_transactions=100']
  for (const name of ['postgres', 'worker-1', 'worker-2'])
    expect(settingsOf(cluster[name]!)).toEqual([...asked, ...forCitus].sort())
})

test('the file for Citus names each node at the coordinator before the first migration', () => {
  const { command, depends_on } = cluster.nodes as unknown as { command: string[]; depends_on: object }
  expect(Object.keys(depends_on)).toEqual(['postgres', 'worker-1', 'worker-2'])
  expect(command.join(' ').match(/citus_add_node\('[\w-]+'/g)).toEqual([
    "citus_add_node('worker-1'",
    "citus_add_node('worker-2'",
  ])
  expect(cluster.migrate!.depends_on).toEqual({ nodes: { condition: 'service_completed_successfully' } })
  for (const name of ['migrate', 'service']) {
    const { CELLS, DATABASE_URL } = cluster[name]!.environment
    const url = DATABASE_URL!.replace(/\$\{\w+:-(\w+)\}/, '$1')
    expect(readConfig({ CELLS, DATABASE_URL: url })).toMatchObject({ citus: true, databaseUrl: url })
  }
})

test('the file in the top directory includes it, with the same paths', () => {
  const { include } = Bun.YAML.parse(readFileSync(resolve(root, 'compose.yaml'), 'utf8')) as { include: object[] }
  expect(include).toEqual([{ path: 'deploy/compose.yaml', project_directory: '.' }])
})
