/** Property tests of every query string, with generated names and values. */
import { describe, test } from 'bun:test'
import fc from 'fast-check'
import { queryValidator } from '../../src/api/query.ts'
import { describeOperations } from '../../src/app/cli/openapi.ts'
import { expectSentences, refusalOf } from '../support/refusal.ts'

const queries = describeOperations().flatMap(({ method, path, query }) =>
  query ? [[`${method} ${path}`, query] as const] : [],
)

describe('any query is accepted, or rejected in full sentences:', () => {
  test.each(queries)('%s', (_, query) => {
    const validate = queryValidator(query)
    const name = fc.oneof(fc.constantFrom(...Object.keys(query.properties)), fc.string({ unit: 'binary' }))
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', '0', '1', '100', '101', '1e2', '-1', 'true', 'false', '\0', '\ud800'),
      fc.constantFrom('😀'.repeat(200), 'x'.repeat(201)),
      fc.uuid(),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 5 }), pairs => {
        const details = refusalOf(() => validate(new URLSearchParams(pairs)))
        if (details) expectSentences(details)
      }),
    )
  })
})
