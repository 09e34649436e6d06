/** Forms of the document that generators of clients can process. The opposite of each broke a generator. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Components } from '../../src/api/document/published-schema.ts'
import { outboundEventTypes } from '../../src/webhooks/outbound-events/index.ts'

type Json = Record<string, unknown>

const document = JSON.parse(readFileSync(resolve(import.meta.dir, '../../openapi/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { tags: string[] }>>
  webhooks: Record<string, { post: { tags: string[]; requestBody: { content: Record<string, { schema: Json }> } } }>
  components: { schemas: Record<string, Json> }
}
const { schemas } = document.components

/** Returns every object of the document with its path. */
function* within(value: unknown, place: string): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [place, value as Json]
  for (const [name, inner] of Object.entries(value))
    if (!name.startsWith('example')) yield* within(inner, `${place}/${name}`)
}

const everywhere = [...within({ ...document }, '')]
const unions = everywhere.flatMap(([place, { anyOf, oneOf }]) =>
  [anyOf, oneOf].filter(Array.isArray).map(members => ({ place, members: members as Json[] })),
)

test('null is part of the type of a value, and next to a name only in a union', () => {
  for (const { place, members } of unions) {
    const some = members.filter(({ type }) => type !== 'null')
    if (some.length < members.length && some.length === 1) expect(some[0], place).toHaveProperty('$ref')
  }
  expect(everywhere.filter(([, { type }]) => Array.isArray(type) && type.includes('null')).length).toBeGreaterThan(50)
})

test('an always present name or null is required through `dependentRequired`, and not `required`', () => {
  const always = everywhere.flatMap(([place, { properties, required, dependentRequired }]) =>
    Object.entries((properties ?? {}) as Record<string, Json>)
      .filter(([, { anyOf, oneOf }]) => ((anyOf ?? oneOf ?? []) as Json[]).some(({ type }) => type === 'null'))
      .map(([name]) => ({ place, name, required: required as string[] | undefined, dependentRequired })),
  )
  for (const { place, name, required } of always) expect(required ?? [], place).not.toContain(name)
  expect(schemas.RecordedEvent!.dependentRequired).toEqual({ recorded: ['didYouMean'] })
})

test('objects in unions, values of unique lists and pages have names, and no boolean is an enum', () => {
  expect(unions.length).toBeGreaterThan(10)
  for (const { place, members } of unions)
    for (const { type, properties } of members) expect(type === 'object' || properties, place).toBeFalsy()
  const unique = everywhere.filter(([, { uniqueItems }]) => uniqueItems === true)
  expect(unique.length).toBeGreaterThan(2)
  for (const [place, { items }] of unique) expect(items, place).toHaveProperty('$ref')
  for (const [place, { type, const: one, enum: some, properties }] of everywhere) {
    if (type === 'boolean') expect([one, some], place).toEqual([undefined, undefined])
    if ((properties as Json | undefined)?.nextCursor) expect(place).toStartWith('/components/schemas/')
  }
})

test('a header of a request has no format', () => {
  const headers = everywhere.filter(([place, { in: at }]) => at === 'header' && /^\/paths\/(?!.*callbacks)/.test(place))
  expect(headers.length).toBeGreaterThan(100)
  for (const [place, { schema }] of headers) expect(schema, place).not.toHaveProperty('format')
})

test('an object with fields is no union', () => {
  for (const [place, { properties, anyOf, oneOf, allOf }] of everywhere)
    if (properties) expect([anyOf, oneOf, allOf], place).toEqual([undefined, undefined, undefined])
})

test.each(['TimelineItem', 'WorkflowStep', 'ConnectChannel', 'WebhookEvent'])('%s has a discriminator', name => {
  const { oneOf, discriminator } = schemas[name] as {
    oneOf: { $ref: string }[]
    discriminator: { propertyName: string; mapping: Record<string, string> }
  }
  expect(Object.values(discriminator.mapping)).toEqual(oneOf.map(({ $ref }) => $ref))
  for (const [value, $ref] of Object.entries(discriminator.mapping)) {
    const member = schemas[$ref.split('/').at(-1)!] as { required: string[]; properties: Record<string, Json> }
    expect(member.required).toContain(discriminator.propertyName)
    expect(member.properties[discriminator.propertyName]!.const).toBe(value)
  }
})

test('the bodies sent to endpoints have a tag of their own, a name for each event and one for all of them', () => {
  const operations = Object.values(document.paths).flatMap(methods => Object.values(methods))
  const tags = new Set(operations.flatMap(one => one.tags))
  const { mapping } = (schemas.WebhookEvent as { discriminator: { mapping: Json } }).discriminator
  expect(Object.keys(mapping).sort()).toEqual([...outboundEventTypes].sort())
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    for (const tag of post.tags) expect(tags).not.toContain(tag)
    expect(post.requestBody.content['application/json']!.schema.$ref).toBe(mapping[type])
  }
})

test('events and customers state that a person must be identified', () => {
  expect(schemas.CreateCustomer).toMatchObject({
    if: { not: { required: ['phone'] } },
    then: { required: ['externalId'] },
  })
  expect(schemas.RecordEvent).toMatchObject({
    if: { not: { required: ['phone'] } },
    then: { if: { not: { required: ['customerId'] } }, then: { required: ['externalId'] } },
  })
})

const withField = (type: Json) => ({ type: 'object', properties: { anyOf: type } })
test.each<[string, Json, Json]>([
  ['of a value or null', { anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: ['string', 'null'] }],
  [
    'of a choice or null',
    { anyOf: [{ const: 'a' }, { const: 'b' }, { type: 'null' }] },
    { type: ['string', 'null'], enum: ['a', 'b', null] },
  ],
  [
    'of any names',
    { type: 'object', patternProperties: { '^(.*)$': { type: 'integer' } } },
    { type: 'object', additionalProperties: { type: 'integer' } },
  ],
  ['with a field like a keyword', withField({ type: 'string', 'x-message': 'No.' }), withField({ type: 'string' })],
  ['with a published part', { type: 'string', 'x-published': { minLength: 1 } }, { type: 'string', minLength: 1 }],
])('a schema %s is published for generators', (_, schema, expected) =>
  expect(new Components({}).convert(schema as never)).toEqual(expected),
)
