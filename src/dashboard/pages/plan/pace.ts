/**
 * Returns when a monthly allowance will be used up at the current rate. null = not within the month, or too early to
 * say.
 */
export const fullAt = (
  { limit, used, resetsAt }: { limit: number | null; used: number; resetsAt: string },
  now: Date,
): Date | null => {
  const end = new Date(resetsAt)
  const start = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1))
  const passed = now.getTime() - start.getTime()
  if (limit === null || used === 0 || used >= limit || passed <= 0) return null
  const full = new Date(start.getTime() + (passed * limit) / used)
  return full < end ? full : null
}
