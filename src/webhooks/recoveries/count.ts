/** Counts the deliveries that a bulk replay would make, by event type. */
import type { ReadRunner } from '../../core/context.ts'
import { DomainError } from '../../core/errors.ts'
import { countUndelivered, type TypeCount } from '../deliveries/index.ts'
import {
  acceptMissing,
  countMissing,
  type MissingCount,
  type MissingRange,
  maxCountedPage,
  selectMissing,
} from './missing-sql.ts'
import type { RecoveryKind } from './sql.ts'

/** Maximum number of deliveries in one bulk replay. */
export const maxDeliveries = 100_000
/** Maximum milliseconds of a search for missed events. */
const maxSearchMs = 4000

/**
 * Counts the deliveries of a range. Counts at most a few more than `maxDeliveries`. `events` selects types of failed
 * deliveries; null selects all. Throws a 422 if the search for missed events takes too long.
 */
export const countRecovery = async (
  reading: ReadRunner,
  range: MissingRange,
  of: RecoveryKind,
  events: readonly string[] | null,
): Promise<TypeCount[]> => {
  const counts = new Map<TypeCount['type'], number>()
  const add = (type: TypeCount['type'], deliveries: number) => counts.set(type, (counts.get(type) ?? 0) + deliveries)
  if (of !== 'missing') {
    const failed = await reading(range.workspaceId, sql => countUndelivered(sql, range, maxDeliveries + 1))
    const isTooMany = failed.reduce((sum, { deliveries }) => sum + deliveries, 0) > maxDeliveries
    for (const { type, deliveries } of failed)
      if (isTooMany || events === null || events.includes(type)) add(type, deliveries)
  }
  if (of !== 'failed') await addMissing(reading, range, add)
  return [...counts].map(([type, deliveries]) => ({ type, deliveries })).sort((a, b) => (a.type < b.type ? -1 : 1))
}

const addMissing = async (
  reading: ReadRunner,
  range: MissingRange,
  add: (type: TypeCount['type'], deliveries: number) => void,
): Promise<void> => {
  const end = performance.now() + maxSearchMs
  let after: string | null = range.after
  let found = 0
  while (after !== null && found <= maxDeliveries) {
    if (performance.now() > end) throw takesTooLong()
    const { counts, cursor } = await countPage(reading, { ...range, after })
    for (const { type, deliveries } of counts) {
      add(type, deliveries)
      found += deliveries
    }
    after = cursor
  }
}

/** Counts a page. Only a filter needs the events themselves. */
const countPage = async (reading: ReadRunner, page: MissingRange) => {
  if (page.filter === null) return reading(page.workspaceId, sql => countMissing(sql, page))
  const { events, cursor } = await reading(page.workspaceId, sql =>
    selectMissing(sql, page, maxCountedPage, maxCountedPage),
  )
  const accepted = await acceptMissing(events, page)
  return { counts: accepted.map(({ type }): MissingCount => ({ type, deliveries: 1 })), cursor }
}

const takesTooLong = () =>
  new DomainError(
    'unprocessable',
    'This time range has too many events to search. Choose a shorter range with since and until.',
  )
