/** The published document must describe everything that its readers can meet. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

type Json = Record<string, unknown>
interface Operation {
  description?: string
  parameters?: { name: string; description?: string }[]
  requestBody?: { content: Record<string, { schema: Json }> }
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, { schema: Json }> }>
}

const document = JSON.parse(readFileSync(resolve(import.meta.dir, '../../openapi/openapi.json'), 'utf8')) as {
  info: { description: string }
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, Json>; responses: Record<string, { description: string }> }
}

const operations = [
  ...Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  ),
  ...Object.entries(document.webhooks).map(([type, { post }]) => ({ name: `webhook ${type}`, operation: post })),
]

/** Descriptions that name only the type of a value and not its meaning. */
const sayNothing = ['UUIDv7.', 'ISO 8601, UTC, milliseconds.', '']

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Returns whether a schema is described directly, by its component, or by the only variant that is not null. */
const isDescribed = (schema: Json): boolean => {
  if (!sayNothing.includes(String(schema.description ?? ''))) return true
  if (typeof schema.$ref === 'string') return isDescribed(document.components.schemas[schema.$ref.split('/').at(-1)!]!)
  const variants = (schema.anyOf ?? []) as Json[]
  return variants.some(variant => variant.type !== 'null' && isDescribed(variant))
}

/** Returns the paths of all fields within a schema that have no description. */
function* undescribed(schema: unknown, place: string): Generator<string> {
  if (Array.isArray(schema)) for (const [index, one] of schema.entries()) yield* undescribed(one, `${place}|${index}`)
  if (!isObject(schema) || Array.isArray(schema)) return
  for (const [name, field] of Object.entries((schema.properties ?? {}) as Record<string, Json>)) {
    if (!isDescribed(field)) yield `${place}.${name}`
    yield* undescribed(field, `${place}.${name}`)
  }
  for (const keyword of ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'])
    yield* undescribed(schema[keyword], place)
}

test('every field of every body has a description', () => {
  const faults = [
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) => [...undescribed(schema, name)]),
    ...operations.flatMap(({ name, operation }) =>
      [operation.requestBody, ...Object.values(operation.responses)].flatMap(one =>
        Object.values(one?.content ?? {}).flatMap(({ schema }) => [...undescribed(schema, name)]),
      ),
    ),
  ]
  expect(faults).toEqual([])
})

test('every parameter has a description', () => {
  const faults = operations.flatMap(({ name, operation }) =>
    (operation.parameters ?? [])
      .filter(({ description = '' }) => sayNothing.includes(description))
      .map(parameter => `${name} ${parameter.name}`),
  )
  expect(faults).toEqual([])
})

describe('the check detects a missing description', () => {
  test.each<[string, Json]>([
    ['a field without a word', { properties: { a: { type: 'string' } } }],
    ['one that only says of what kind it is', { properties: { a: { type: 'string', description: 'UUIDv7.' } } }],
    ['one that may be null', { properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } } }],
    ['one within a list', { items: { properties: { a: {} } } }],
    ['one of a variant', { anyOf: [{ type: 'null' }, { properties: { a: {} } }] }],
  ])('%s', (_, schema) => {
    expect([...undescribed(schema, '')]).toHaveLength(1)
  })
})

describe('an operation', () => {
  const served = operations.filter(({ name }) => !name.startsWith('webhook '))

  test('names its callers', () => {
    for (const { name, operation } of served)
      expect(operation.description, name).toMatch(/(^|\n\n)(For |Anybody |Called by )[^\n]*$/)
  })

  test('describes each conflict with the current state in its own words', () => {
    let found = 0
    for (const { name, operation } of served)
      for (const status of ['409', '422']) {
        const response = operation.responses[status]
        if (!response) continue
        found++
        const { description } = document.components.responses[`Error${status}`]!
        expect(response.description, `${name} ${status}`).not.toBe(description)
        expect(response.description, `${name} ${status}`).not.toContain('well-formed, but not possible')
        expect(response.description, `${name} ${status}`).not.toContain('something unique')
      }
    expect(found).toBeGreaterThan(30)
  })

  test('that creates a record says where to find it', () => {
    for (const { name, operation } of served)
      if (operation.responses['201'])
        expect(Object.keys((operation.responses['201'] as { headers: Json }).headers), name).toContain('Location')
  })
})

test('the introduction describes what all operations have in common', () => {
  for (const word of [
    'X-API-Key',
    'X-Workspace-Id',
    'feature_not_available',
    'Retry-After',
    '`Allow`',
    'RateLimit-Remaining',
    'Idempotency-Key',
    'nextCursor',
    '2^53',
    'deprecated',
  ])
    expect(document.info.description).toContain(word)
  const { code } = (
    document.components.schemas.Error as { properties: { error: { properties: { code: { enum: string[] } } } } }
  ).properties.error.properties
  for (const one of code.enum) expect(document.info.description).toContain(`\`${one}\``)
})
