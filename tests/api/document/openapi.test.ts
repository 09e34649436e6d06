import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import Ajv2020 from 'ajv/dist/2020.js'
import { startWorld, type World } from '../../support/world.ts'

type Json = Record<string, unknown>
interface Operation {
  operationId: string
  summary?: string
  security: Json[]
  parameters?: { name: string }[]
  requestBody?: {
    content: Record<string, { schema: Json; example: unknown; examples?: Record<string, { value: unknown }> }>
  }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Json; example: unknown }> }>
}
interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Json; responses: Record<string, Json>; securitySchemes: Json }
}

let world: World
let document: Document

beforeAll(async () => {
  world = await startWorld()
  document = await world.expect(200, 'GET', '/openapi.json', { as: 'nobody' })
})
afterAll(() => world.stop())

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

test('the served document equals the checked-in one; bun run openapi regenerates it', async () => {
  const served = await (await fetch(`${world.url}/openapi.json`)).text()
  expect(served).toBe(readFileSync(resolve(import.meta.dirname, '../../../openapi/openapi.json'), 'utf8'))
})

test('the document is OpenAPI 3.1 and names the six outbound events', () => {
  expect(document.openapi).toBe('3.1.0')
  expect(Object.keys(document.webhooks).sort()).toEqual([
    'campaign.completed',
    'customer.opted_out',
    'message.received',
    'message.status',
    'ping',
    'sale.created',
  ])
})

test('every operation has a summary, a unique id, its security and its possible errors', () => {
  const ids = operations().map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { path, method, operation } of operations()) {
    const name = `${method} ${path}`
    expect(operation.summary, name).toBeString()
    expect(operation.security, name).toBeArray()
    expect(Object.keys(operation.responses), name).toEqual(expect.arrayContaining(['500', '503']))
    const ofWorkspace = operation.parameters?.some(({ name }) => name === 'X-Workspace-Id') ? ['404'] : []
    if (operation.security.length > 0)
      for (const status of ['401', '403', '429', ...ofWorkspace])
        expect(Object.keys(operation.responses), name).toContain(status)
    // Providers call back with their own bodies, of any type.
    if (operation.requestBody && !path.startsWith('/v1/inbound/'))
      for (const status of ['400', '415']) expect(Object.keys(operation.responses), name).toContain(status)
  }
})

test('every tag has a description', () => {
  for (const { name, description } of (document as unknown as { tags: Record<string, string>[] }).tags)
    expect(description, name).toBeString()
})

test('every reference resolves', () => {
  const text = JSON.stringify(document)
  for (const [, path] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = path!.split('/').reduce<unknown>((value, part) => (value as Json | undefined)?.[part], document)
    expect(found, path).toBeDefined()
  }
})

describe('examples', () => {
  let ajv: Ajv2020
  beforeAll(() => {
    ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'document', components: document.components })
  })
  const compile = (schema: Json) => {
    return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')))
  }
  const check = (name: string, schema: Json, example: unknown) => {
    const validate = compile(schema)
    expect(validate(example), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true)
  }

  test('match the schema of every request and response', () => {
    let checked = 0
    for (const { path, method, operation } of operations()) {
      const request = operation.requestBody?.content['application/json']
      const shown = request?.examples ? Object.values(request.examples).map(({ value }) => value) : [request?.example]
      if (request) for (const example of shown) check(`${method} ${path}`, request.schema, example)
      for (const [status, response] of Object.entries(operation.responses)) {
        const answer = response.content?.['application/json']
        if (!answer) continue
        check(`${method} ${path} ${status}`, answer.schema, answer.example)
        checked++
      }
    }
    expect(checked).toBeGreaterThan(20)
  })

  test('match the schema of every outbound event', () => {
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const body = post.requestBody!.content['application/json']!
      check(type, body.schema, body.example)
    }
  })
})

test('every field of the live feed is described, and records have their names', () => {
  const text = JSON.stringify(document)
  expect(text).not.toContain('()')
  expect(text).not.toContain('no such not accepted')
})

describe('the documentation page', () => {
  test('names nothing that is served from another host, and forbids the browser to load it', async () => {
    const page = await fetch(`${world.url}/docs`)
    const html = await page.text()
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url!)
    expect(loaded.length).toBeGreaterThan(3)
    for (const url of loaded) expect(url, url).toMatch(/^(\/$|\/docs([/#]|$)|\/openapi\.json$|data:)/)
  })

  test('lists every operation with its method, its path and its summary', async () => {
    const html = await (await fetch(`${world.url}/docs`)).text()
    for (const { path, method, operation } of operations()) {
      expect(html).toContain(`<b>${method}</b> ${path}</code>`)
      expect(html).toContain(`/operation/${operation.operationId}"`)
    }
  })

  test.each(['/docs/docs.css', '/docs/docs.js', '/docs/reference.js', '/docs/scalar.js', '/docs/search.json'])(
    '%s is served by the service itself',
    async path => {
      const response = await fetch(`${world.url}${path}`)
      expect(response.status).toBe(200)
      expect((await response.text()).length).toBeGreaterThan(50)
    },
  )
})
