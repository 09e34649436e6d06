/** Property tests of every published request body, and of the validator compared with the published document. */
import { describe, expect, test } from 'bun:test'
import Ajv2020 from 'ajv/dist/2020'
import fc from 'fast-check'
import { publishedDocument } from '../../src/api/document/openapi.ts'
import { describeOperations } from '../../src/app/cli/openapi.ts'
import { validator } from '../../src/core/validate.ts'
import { expectSentences, refusalOf } from '../support/refusal.ts'
import { type Schema, valuesNear } from '../support/values-near.ts'

interface Document {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>
  components: { schemas: Record<string, Schema> }
}

const operations = describeOperations()

/**
 * Returns the schema without `x-published`. That part describes rules beyond the shape, which the validator does not
 * check.
 */
const shapeOf = <T>(part: T): T => {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map(shapeOf) as T
  const kept = Reflect.ownKeys(part).filter(key => key !== 'x-published')
  return Object.fromEntries(kept.map(key => [key, shapeOf(part[key as keyof T])])) as T
}
const document = (await publishedDocument(
  operations.map(operation => (operation.body ? { ...operation, body: shapeOf(operation.body) } : operation)),
)) as unknown as Document

/** An independent implementation of JSON Schema. Formats are defined here. */
const ajv = new Ajv2020({ strict: false })
ajv.addFormat(
  'uuid',
  /^([0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|(0{8}-(0{4}-){3}0{12})|(f{8}-(f{4}-){3}f{12}))$/i,
)
ajv.addFormat('date-time', text => {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d{1,9})?(Z|[+-](\d\d):(\d\d))$/.exec(text)
  if (!parts) return false
  const [year, month, day, hours, minutes, seconds, , , offsetHours = 0, offsetMinutes = 0] = parts.slice(1).map(Number)
  const leap = year! % 4 === 0 && (year! % 100 !== 0 || year! % 400 === 0)
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month! - 1] ?? 0
  const isDay = day! >= 1 && day! <= days
  const utcYear = new Date(text).getUTCFullYear()
  return (
    isDay &&
    hours! < 24 &&
    minutes! < 60 &&
    seconds! < 60 &&
    !(offsetHours > 23) &&
    !(offsetMinutes > 59) &&
    utcYear > 0 &&
    utcYear < 10_000
  )
})
ajv.addSchema({ $id: 'document', components: document.components })
const published = (schema: Schema) =>
  ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')))

const bodies = operations.flatMap(({ method, path, body, example }) => {
  if (!body) return []
  const { schema } =
    document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!.requestBody!.content['application/json']!
  return [[`${method} ${path}`, { body, schema, example: example as unknown }] as const]
})

test('there are bodies to test', () => {
  expect(bodies.length).toBeGreaterThan(15)
})

describe('the validator agrees with the published document for any JSON, and explains each rejection:', () => {
  test.each(bodies)('%s', (_, { body, schema }) => {
    const validate = validator(body)
    const fits = published(schema)
    const counts = { taken: 0, refused: 0 }
    fc.assert(
      fc.property(
        fc.oneof({ weight: 9, arbitrary: valuesNear(schema, document) }, { weight: 1, arbitrary: fc.jsonValue() }),
        value => {
          const details = refusalOf(() => validate(value))
          expect({ isTaken: details === null, details }).toEqual({ isTaken: fits(value), details })
          if (details) expectSentences(details)
          counts[details ? 'refused' : 'taken']++
        },
      ),
      { numRuns: 200 },
    )
    expect(Math.min(counts.taken, counts.refused)).toBeGreaterThan(0)
  })
})

/** Values close to the maximum size of a body. Each is expensive in another way. */
const huge: [string, unknown][] = [
  ['a long text', '😀'.repeat(250_000)],
  ['a long list', Array(250_000).fill(0)],
  ['a long list of objects', Array(100_000).fill({ a: {} })],
  ['many fields', Object.fromEntries(Array.from({ length: 60_000 }, (_, place) => [`field ${place}`, 0]))],
  ['deep negations', nested(60, inner => ({ not: inner }))],
  ['wide conditions', nested(3, inner => ({ all: Array(40).fill(inner) }))],
]

function nested(levels: number, around: (inner: unknown) => unknown): unknown {
  let value: unknown = {}
  for (let level = 0; level < levels; level++) value = around(value)
  return value
}

/** Yields the value once for each of its positions, with `other` at that position. */
function* withEachPlace(value: unknown, other: unknown): Generator<unknown> {
  yield other
  if (Array.isArray(value)) {
    for (const [place, inner] of value.entries())
      for (const one of withEachPlace(inner, other)) yield value.with(place, one)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value))
      for (const one of withEachPlace(inner, other)) yield { ...value, [name]: one }
  }
}

const maxMs = 200

/** Returns the errors and asserts the time limit. Makes up to three attempts, because the machine can be busy. */
const refusedInTime = (validate: () => unknown, what: string): Record<string, string> | null => {
  let least = Number.POSITIVE_INFINITY
  let details: Record<string, string> | null = null
  for (let tries = 0; tries < 3 && least > maxMs; tries++) {
    const began = performance.now()
    details = refusalOf(validate)
    least = Math.min(least, performance.now() - began)
  }
  expect(least, what).toBeLessThan(maxMs)
  return details
}

describe('a value of the maximum size at any position is checked quickly:', () => {
  test.each(bodies)('%s', (_, { body, example }) => {
    const validate = validator(body)
    for (const [what, other] of huge) {
      for (const value of withEachPlace(example, other)) {
        const details = refusedInTime(() => validate(value), what)
        if (details) expectSentences(details)
      }
    }
  })
})
