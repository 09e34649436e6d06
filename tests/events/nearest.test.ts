/** Tests the suggested event type, compared with the definition of edit distance. */
import { beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type DidYouMean, TriggerTypes } from '../../src/events/trigger-types.ts'
import { newWorkspace, useDatabase } from '../support/database.ts'

/** The number of workflows that name each type, in descending order. */
const named: DidYouMean[] = [
  { type: 'order.created', workflows: 3 },
  { type: 'order.crated', workflows: 2 },
  { type: 'cart abandoned', workflows: 2 },
  { type: 'Order_Paid', workflows: 1 },
  { type: 'buy', workflows: 1 },
  { type: 'pay', workflows: 1 },
  { type: 'sale', workflows: 1 },
  { type: 'sales', workflows: 1 },
  { type: 'größe.geändert', workflows: 1 },
]

const database = useDatabase()
const workspaceId = crypto.randomUUID()
beforeAll(async () => {
  await newWorkspace(database.sql, workspaceId)
  await listenTo(...named.flatMap(({ type, workflows }) => Array<string>(workflows).fill(type)))
})

const listenTo = (...types: string[]) => database.sql`
  insert into workflows (workspace_id, name, draft, trigger_type)
  select ${workspaceId}, 'w', '{}', type from unnest(${types}::text[]) as type`

const refreshed = async (types = new TriggerTypes()) => {
  await types.refresh(database.sql, [workspaceId])
  return types
}

/** Generates a named type in another spelling with up to three typing errors. */
const someType = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...named.map(({ type }) => type)),
      fc.constantFrom('.', '_', '-', ' ', ' - '),
      fc.boolean(),
      fc.array(fc.tuple(fc.nat(16), fc.nat(1), fc.constantFrom('', ' ', 'a', 'x', 'ß', '.')), { maxLength: 3 }),
    )
    .map(([type, separator, isUpper, slips]) => {
      const spelt = type.replaceAll(/[._ ]/g, separator)
      const mistyped = slips.reduce(
        (text, [place, missing, more]) => text.slice(0, place) + more + text.slice(place + missing),
        spelt,
      )
      return isUpper ? mistyped.toUpperCase() : mistyped
    }),
  fc.string({ unit: 'binary' }),
)

const folded = (type: string): string =>
  type
    .trim()
    .toLowerCase()
    .split(/[._\-\s]+/)
    .join('.')

/** Computes the edit distance row by row: letters inserted, removed or replaced. */
const lettersApart = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, count) => count)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)))
    row = next
  }
  return row.at(-1)!
}

const expectedFor = (type: string): DidYouMean | null => {
  const text = folded(type)
  const max = text.length < 4 ? 0 : text.length < 6 ? 1 : 2
  const near = named
    .map(meant => ({ meant, letters: lettersApart(folded(meant.type), text) }))
    .filter(({ letters }) => letters <= max)
  const least = Math.min(...near.map(({ letters }) => letters))
  const [nearest] = near
    .filter(({ letters }) => letters === least)
    .sort((a, b) => b.meant.workflows - a.meant.workflows || (a.meant.type < b.meant.type ? -1 : 1))
  return nearest?.meant ?? null
}

test('suggests the nearest type within two letters, and the type of most workflows if several are equally near', async () => {
  const counts = { meant: 0, none: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(someType, { minLength: 10, maxLength: 20 }), async given => {
      const types = await refreshed()
      for (const type of given) {
        const meant = types.nearest(workspaceId, type)
        expect({ type, meant }).toEqual({ type, meant: expectedFor(type) })
        expect(types.nearest(workspaceId, type)).toEqual(meant)
        counts[meant ? 'meant' : 'none']++
      }
    }),
  )
  expect(Math.min(counts.meant, counts.none)).toBeGreaterThan(100)
})
