import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

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

test.each(Object.entries(services))(
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

test('the service uses one database role, and another one migrates before it', () => {
  expect(services.migrate.environment.DATABASE_URL).toContain('//engagement_migrating:')
  expect(services.service.environment.DATABASE_URL).toContain('//engagement_running:')
  expect(services.service.depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } })
})

test('configures the PostgreSQL log as docs/security.md asks', () => {
  const security = readFileSync(resolve(root, 'docs/security.md'), 'utf8')
  const asked = [...security.matchAll(/`(log_\w+) = (-?\w+)`/g)].map(([, name, value]) => `${name}=${value}`)
  expect(asked).toContain('log_error_verbosity=terse')
  const { command } = services.postgres as unknown as { command: string[] }
  const pairs = command.slice(1).join(' ').split(/ ?-c /).filter(Boolean)
  expect(command).toEqual(['postgres', ...pairs.flatMap(pair => ['-c', pair])])
  expect(pairs.sort()).toEqual(asked.sort())
})

test('the file in the top directory includes it, with the same paths', () => {
  const { include } = Bun.YAML.parse(readFileSync(resolve(root, 'compose.yaml'), 'utf8')) as { include: object[] }
  expect(include).toEqual([{ path: 'deploy/compose.yaml', project_directory: '.' }])
})
