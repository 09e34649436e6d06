/** Usage of a monthly allowance: so far, at the current rate, and when the limit is reached. All days are days in UTC. */

export interface MonthlyUsage {
  limit: number | null
  used: number
  resetsAt: string
}

/** Usage at the end of a day. `used` is null after today, `projected` before it. */
export interface UsageDay {
  at: string
  used: number | null
  projected: number | null
}

const dayMs = 86_400_000

const startOfMonth = (resetsAt: string): Date => {
  const end = new Date(resetsAt)
  return new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1))
}

/** Start of the month of an allowance, in UTC. */
export const monthStart = (resetsAt: string): string => startOfMonth(resetsAt).toISOString()

/** Returns the use of the whole month at the current rate, rounded. */
export const forecastUsage = ({ used, resetsAt }: MonthlyUsage, now: Date): number => {
  const start = startOfMonth(resetsAt).getTime()
  const elapsedMs = now.getTime() - start
  return elapsedMs <= 0 ? used : Math.round((used * (new Date(resetsAt).getTime() - start)) / elapsedMs)
}

/**
 * Returns when a monthly allowance will be used up at the current rate. null = not within the month, or too early to
 * say.
 */
export const forecastLimitDate = ({ limit, used, resetsAt }: MonthlyUsage, now: Date): Date | null => {
  const end = new Date(resetsAt)
  const start = startOfMonth(resetsAt)
  const elapsedMs = now.getTime() - start.getTime()
  if (limit === null || used === 0 || used >= limit || elapsedMs <= 0) return null
  const limitDate = new Date(start.getTime() + (elapsedMs * limit) / used)
  return limitDate < end ? limitDate : null
}

/** Returns a row for each day of the month: the running total until today, then the projection. */
export const toUsageDays = (
  usage: MonthlyUsage,
  days: readonly { at: string; events: number }[],
  now: Date,
): UsageDay[] => {
  const start = startOfMonth(usage.resetsAt).getTime()
  const end = new Date(usage.resetsAt).getTime()
  const countOf = new Map(days.map(({ at, events }) => [Date.parse(at), events]))
  const total = days.reduce((sum, { events }) => sum + events, 0)
  const perMs = total / Math.max(now.getTime() - start, 1)
  let used = 0
  return Array.from({ length: Math.round((end - start) / dayMs) }, (_, index) => {
    const at = start + index * dayMs
    used += countOf.get(at) ?? 0
    const isFuture = at > now.getTime()
    const isToday = !isFuture && at + dayMs > now.getTime()
    const projected = total + perMs * (at + dayMs - now.getTime())
    return {
      at: new Date(at).toISOString(),
      used: isFuture ? null : used,
      projected: isToday ? used : isFuture ? projected : null,
    }
  })
}
