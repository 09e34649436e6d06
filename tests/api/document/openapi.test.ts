import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import Ajv2020 from 'ajv/dist/2020.js'
import { useWorld } from '../../support/world.ts'

type Json = Record<string, unknown>
interface Content {
  schema: Json
  example: unknown
  examples?: Record<string, { value: unknown }>
}
interface Operation {
  operationId: string
  summary?: string
  security: Json[]
  parameters?: { name: string }[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, { $ref?: string; content?: Record<string, Content> }>
}

const text = readFileSync(resolve(import.meta.dirname, '../../../openapi/openapi.json'), 'utf8')
const document = JSON.parse(text) as {
  openapi: string
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: Json
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)

const world = useWorld()

test('the served document equals the checked-in one; bun run openapi regenerates it', async () => {
  expect(await (await fetch(`${world.url}/openapi.json`)).text()).toBe(text)
})

test('the document is OpenAPI 3.1, describes its tags, and names each outbound event', () => {
  expect(document.openapi).toBe('3.1.0')
  expect(Object.keys(document.webhooks).sort()).toEqual(
    `allowance.reached campaign.completed channel.failing channel.recovered customer.opted_out delivery.failed endpoint.failing endpoint.held endpoint.recovered
      message.received message.status ping run.failed sale.created`.split(/\s+/),
  )
  for (const { name, description } of document.tags) expect(description, name).toBeString()
})

test('every operation has a summary, a unique id, its security and its possible errors', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { name, operation } of operations) {
    const { summary, security, parameters, requestBody, responses } = operation
    expect(summary, name).toBeString()
    expect(security, name).toBeArray()
    const expected = ['500', '503']
    if (parameters?.some(({ name }) => name === 'X-Workspace-Id')) expected.push('404')
    if (security.length > 0) expected.push('401', '403', '429')
    // Providers of messages and identities call back with their own bodies, of any type.
    const isCallback = name.includes('/v1/inbound/') || name.endsWith('/v1/auth/sso/logout')
    if (requestBody && !isCallback) expected.push('400', '415')
    expect(Object.keys(responses), name).toEqual(expect.arrayContaining(expected))
  }
})

test('every reference resolves, and the text has no gaps', () => {
  for (const [, path] of text.matchAll(/"\$ref": ?"#\/([^"]+)"/g)) {
    const found = path!.split('/').reduce<unknown>((value, part) => (value as Json | undefined)?.[part], document)
    expect(found, path).toBeDefined()
  }
  expect(text).not.toContain('()')
  expect(text).not.toContain('no such not accepted')
})

describe('examples match the schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'document', components: document.components })
  /** Checks each example of the content. Returns their number. */
  const check = (name: string, content: Content | undefined): number => {
    if (!content) return 0
    const { schema, example, examples } = content
    const validate = ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')),
    )
    const values = examples ? Object.values(examples).map(({ value }) => value) : [example]
    for (const value of values) expect(validate(value), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true)
    return values.length
  }

  test('of every request and response', () => {
    let checked = 0
    for (const { name, operation } of operations) {
      checked += check(name, operation.requestBody?.content['application/json'])
      for (const [status, { content }] of Object.entries(operation.responses))
        checked += check(`${name} ${status}`, content?.['application/json'])
    }
    expect(checked).toBeGreaterThan(20)
  })

  test('of every outbound event', () => {
    for (const [type, { post }] of Object.entries(document.webhooks))
      expect(check(type, post.requestBody!.content['application/json'])).toBe(1)
  })
})

test('the documentation page lists every operation with its method and path', async () => {
  const html = await (await fetch(`${world.url}/docs`)).text()
  for (const { name, operation } of operations) {
    const [method, path] = name.split(' ')
    expect(html).toContain(`<b>${method}</b> ${path}</code>`)
    expect(html).toContain(`/operation/${operation.operationId}"`)
  }
})
