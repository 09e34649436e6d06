/** The forms in which the document says things, so that generators of clients can take it; each broke one of them. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { outboundEventTypes } from '../../src/domain/outbound-events/index.ts'
import { Components } from '../../src/http/published-schema.ts'

type Json = Record<string, unknown>

const document = JSON.parse(readFileSync(resolve(import.meta.dir, '../../openapi/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { tags: string[] }>>
  webhooks: Record<string, { post: { tags: string[]; requestBody: { content: Record<string, { schema: Json }> } } }>
  components: { schemas: Record<string, Json> }
}
const { schemas } = document.components

/** Every object of the document, with where it stands. */
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

test('null stands in the type of a value, and beside a name alone in a union', () => {
  for (const { place, members } of unions) {
    const some = members.filter(({ type }) => type !== 'null')
    if (some.length < members.length && some.length === 1) expect(some[0], place).toHaveProperty('$ref')
  }
  expect(everywhere.filter(([, { type }]) => Array.isArray(type) && type.includes('null')).length).toBeGreaterThan(50)
})

test('a name or null that is always there is asked for by a field beside it, and not by `required`', () => {
  const always = everywhere.flatMap(([place, { properties, required, dependentRequired }]) =>
    Object.entries((properties ?? {}) as Record<string, Json>)
      .filter(([, { anyOf, oneOf }]) => ((anyOf ?? oneOf ?? []) as Json[]).some(({ type }) => type === 'null'))
      .map(([name]) => ({ place, name, required: required as string[] | undefined, dependentRequired })),
  )
  for (const { place, name, required } of always) expect(required ?? [], place).not.toContain(name)
  expect(schemas.RecordedEvent!.dependentRequired).toEqual({ recorded: ['didYouMean'] })
})

test('members of unions that are objects have names', () => {
  expect(unions.length).toBeGreaterThan(10)
  for (const { place, members } of unions)
    for (const member of members)
      expect(member.type === 'object' || member.properties !== undefined ? place : '', place).toBe('')
})

test('a list in which nothing is twice holds names, and no list of values of its own', () => {
  const unique = everywhere.filter(([, { uniqueItems }]) => uniqueItems === true)
  expect(unique.length).toBeGreaterThan(2)
  for (const [place, { items }] of unique) expect(items, place).toHaveProperty('$ref')
})

test('no boolean is one of a list', () => {
  for (const [place, { type, const: one, enum: some }] of everywhere)
    if (type === 'boolean') expect([one, some], place).toEqual([undefined, undefined])
})

test.each(['TimelineItem', 'WorkflowStep', 'ConnectChannel', 'WebhookEvent'])('%s is told apart by a field', name => {
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

test('pages have names', () => {
  for (const [place, { properties }] of everywhere)
    if ((properties as Json | undefined)?.nextCursor) expect(place).toStartWith('/components/schemas/')
})

describe('what is sent to endpoints', () => {
  test('has a tag that no operation has', () => {
    const tags = new Set(
      Object.values(document.paths).flatMap(methods => Object.values(methods).flatMap(one => one.tags)),
    )
    for (const { post } of Object.values(document.webhooks))
      for (const tag of post.tags) expect(tags).not.toContain(tag)
  })

  test('has a name for each event and one for any of them', () => {
    const mapping = (schemas.WebhookEvent as { discriminator: { mapping: Json } }).discriminator.mapping
    expect(Object.keys(mapping).sort()).toEqual([...outboundEventTypes].sort())
    for (const [type, { post }] of Object.entries(document.webhooks))
      expect(post.requestBody.content['application/json']!.schema.$ref).toBe(mapping[type])
  })
})

test('of an event and of a customer the document says that somebody must be named', () => {
  expect(schemas.CreateCustomer).toMatchObject({
    if: { not: { required: ['phone'] } },
    then: { required: ['externalId'] },
  })
  expect(schemas.RecordEvent).toMatchObject({
    if: { not: { required: ['phone'] } },
    then: { if: { not: { required: ['customerId'] } }, then: { required: ['externalId'] } },
  })
})

describe('a schema', () => {
  const published = (schema: Json) => new Components({}).use(schema as never)

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
    [
      'with a field that is called like a keyword',
      { type: 'object', properties: { anyOf: { type: 'string', 'x-message': 'No.' } } },
      { type: 'object', properties: { anyOf: { type: 'string' } } },
    ],
    [
      'that asks for more than its shape',
      { type: 'string', 'x-published': { minLength: 1 } },
      { type: 'string', minLength: 1 },
    ],
  ])('%s', (_, schema, expected) => expect(published(schema)).toEqual(expected))
})
