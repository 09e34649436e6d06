/** Activity of a customer by day. */

/** Number of days that the strip shows: eight weeks. */
const shownDays = 56
const dayMs = 86_400_000

export interface Day {
  /** Date in the zone of the reader, such as `2026-11-24`. */
  day: string
  /** Number of entries. Null if the entries of this day are not loaded. */
  count: number | null
}

/** Counts the loaded entries of the last days, oldest day first. `dayOf` returns the date of a time. */
export const activityByDay = (
  items: readonly { at: string }[],
  isComplete: boolean,
  dayOf: (at: string) => string,
  now: number,
): Day[] => {
  const counts = new Map<string, number>()
  for (const { at } of items) counts.set(dayOf(at), (counts.get(dayOf(at)) ?? 0) + 1)
  const last = items.at(-1)
  const oldestDay = isComplete || !last ? '' : dayOf(last.at)
  return Array.from({ length: shownDays }, (_, index) => {
    const day = dayOf(new Date(now - (shownDays - 1 - index) * dayMs).toISOString())
    return { day, count: day < oldestDay ? null : (counts.get(day) ?? 0) }
  })
}
