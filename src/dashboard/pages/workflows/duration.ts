/** Durations in the notation of definitions. */
export const units = ['s', 'm', 'h', 'd'] as const
export type Unit = (typeof units)[number]

const unitMs: Record<Unit | 'ms', number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Returns milliseconds, or null for an invalid duration. */
export const msOf = (text: string): number | null => {
  const short = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text)
  if (short) return Number(short[1]) * unitMs[short[2] as Unit]
  const iso = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(text)
  if (!iso || !/\d/.test(text)) return null
  const [days, hours, minutes, seconds] = iso.slice(1).map(part => Number(part ?? 0))
  return days! * unitMs.d + hours! * unitMs.h + minutes! * unitMs.m + seconds! * unitMs.s
}

/** Returns the duration in its largest unit with a whole amount, or null if invalid. */
export const amountOf = (text: string): { amount: number; unit: Unit } | null => {
  const ms = msOf(text)
  if (ms === null) return null
  const unit = units.findLast(one => ms >= unitMs[one] && ms % unitMs[one] === 0)
  if (!unit) return ms === 0 ? { amount: 0, unit: 's' } : null
  return { amount: ms / unitMs[unit], unit }
}
