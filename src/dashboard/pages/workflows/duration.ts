/** Durations in the notation of definitions. */
export const units = ['s', 'm', 'h', 'd'] as const
export type Unit = (typeof units)[number]

const unitMs: Record<Unit | 'ms', number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Returns milliseconds, or null for an invalid duration. */
export const parseDuration = (text: string): number | null => {
  const shortMatch = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text)
  if (shortMatch) return Number(shortMatch[1]) * unitMs[shortMatch[2] as Unit]
  const isoMatch = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(text)
  if (!isoMatch || !/\d/.test(text)) return null
  const [days, hours, minutes, seconds] = isoMatch.slice(1).map(part => Number(part ?? 0))
  return days! * unitMs.d + hours! * unitMs.h + minutes! * unitMs.m + seconds! * unitMs.s
}

/** Returns the duration in its largest unit with a whole amount, or null if invalid. */
export const parseAmount = (text: string): { amount: number; unit: Unit } | null => {
  const ms = parseDuration(text)
  if (ms === null) return null
  const unit = units.findLast(one => ms >= unitMs[one] && ms % unitMs[one] === 0)
  if (!unit) return ms === 0 ? { amount: 0, unit: 's' } : null
  return { amount: ms / unitMs[unit], unit }
}
