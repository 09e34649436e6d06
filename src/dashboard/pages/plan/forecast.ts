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
const recentDays = 7

const startOfMonth = (resetsAt: string): Date => {
  const end = new Date(resetsAt)
  return new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1))
}

/** Start of the month of an allowance, in UTC. */
export const monthStart = (resetsAt: string): string => startOfMonth(resetsAt).toISOString()

/** Events accepted on each day of the month. */
export type Days = readonly { at: string; events: number }[]

/** Returns the current rate in events per millisecond: that of the last 7 days, or that of the month without `days`. */
const rateOf = ({ used, resetsAt }: MonthlyUsage, now: Date, days: Days | undefined): number => {
  const start = startOfMonth(resetsAt).getTime()
  const from = days ? Math.max(start, Math.floor(now.getTime() / dayMs - recentDays) * dayMs) : start
  const count = days?.reduce((sum, { at, events }) => (Date.parse(at) >= from ? sum + events : sum), 0) ?? used
  return now.getTime() <= from ? 0 : count / (now.getTime() - from)
}

/** Returns the use of the whole month at the current rate, rounded. */
export const forecastUsage = (usage: MonthlyUsage, now: Date, days?: Days): number =>
  Math.round(usage.used + rateOf(usage, now, days) * (Date.parse(usage.resetsAt) - now.getTime()))

/** Returns when a monthly allowance will be used up at the current rate. null = not within the month. */
export const forecastLimitDate = (usage: MonthlyUsage, now: Date, days?: Days): Date | null => {
  const { limit, used, resetsAt } = usage
  const rate = rateOf(usage, now, days)
  if (limit === null || rate === 0 || used >= limit) return null
  const limitDate = new Date(now.getTime() + (limit - used) / rate)
  return limitDate < new Date(resetsAt) ? limitDate : null
}

/** Returns a row for each day of the month: the running total until today, then the projection. */
export const toUsageDays = (usage: MonthlyUsage, days: Days, now: Date): UsageDay[] => {
  const start = startOfMonth(usage.resetsAt).getTime()
  const end = new Date(usage.resetsAt).getTime()
  const countOf = new Map(days.map(({ at, events }) => [Date.parse(at), events]))
  const total = days.reduce((sum, { events }) => sum + events, 0)
  const perMs = rateOf(usage, now, days)
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
