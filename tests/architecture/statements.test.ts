/** PostgreSQL accepts the names in every statement that the fragments of src can form. */
import { beforeAll, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { loadModule, parseSync } from 'libpg-query'
import { compositionsIn, gatheredInSrc, type Source, sourcesOf } from '../support/statements.ts'

beforeAll(() => loadModule())

/** Returns names that one `with` defines twice, which PostgreSQL refuses (42712), with their statement. */
const repeatedNamesIn = (sources: readonly Source[]): string[] => {
  const found = compositionsIn(sources, gatheredInSrc).flatMap(({ path, name, variants }) =>
    variants.flatMap(({ sql }) => repeatedNames(parseSync(sql)).map(repeated => `${path} ${name}: ${repeated}`)),
  )
  return [...new Set(found)]
}

const repeatedNames = (node: unknown): string[] => {
  if (typeof node !== 'object' || node === null) return []
  const names =
    'ctes' in node && Array.isArray(node.ctes) ? node.ctes.map(cte => String(cte.CommonTableExpr.ctename)) : []
  return [
    ...names.filter((name, place) => names.indexOf(name) !== place),
    ...Object.values(node).flatMap(repeatedNames),
  ]
}

test('no composition defines a name twice', () => {
  expect(repeatedNamesIn(sourcesOf(resolve(import.meta.dir, '../..')))).toEqual([])
})

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: sources to be read
test.each([
  ['const part = sql => sql`a as (select 1)`; const f = () => sql`with a as (select 1), ${part(sql)} select 1`', 1],
  [
    'const f = () => sql`with ${one ? sql`a as (select 1)` : sql`b as (select 1)`}, ${other ? sql`c as (select 1)` : sql`a as (select 1)`} select 1`',
    1,
  ],
  ['const f = () => sql`with a as (with a as (select 1) select 1) select 1`', 0],
])('detects a repeated name in %s', (text, count) => {
  expect(repeatedNamesIn([{ path: 'src/x.ts', text }])).toHaveLength(count)
})
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: sources to be read
