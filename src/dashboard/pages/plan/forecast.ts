/**
 * Returns when a monthly allowance will be used up at the current rate. null = not within the month, or too early to
 * say.
 */
export const forecastLimitDate = (
  { limit, used, resetsAt }: { limit: number | null; used: number; resetsAt: string },
  now: Date,
): Date | null => {
  const end = new Date(resetsAt)
  const start = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1))
  const elapsedMs = now.getTime() - start.getTime()
  if (limit === null || used === 0 || used >= limit || elapsedMs <= 0) return null
  const limitDate = new Date(start.getTime() + (elapsedMs * limit) / used)
  return limitDate < end ? limitDate : null
}
