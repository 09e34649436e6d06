const dayMs = 86_400_000
const maxMs = 90 * dayMs
const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: dayMs } as const
const isoPattern = /^P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,8}(?:\.\d{1,3})?)S)?)?$/

/** Pattern of a duration, for the published document. The limit of 90 days is stated separately. */
export const durationPattern =
  '^(?:[0-9]{1,10}(?:ms|s|m|h|d)|P(?=[0-9T])(?:[0-9]{1,4}W)?(?:[0-9]{1,4}D)?(?:T(?=[0-9])(?:[0-9]{1,6}H)?(?:[0-9]{1,6}M)?(?:[0-9]{1,8}(?:[.][0-9]{1,3})?S)?)?)$'

/**
 * Parses `PT1H30M`, `P2D`, `500ms`, `30s`, `5m`, `1h` or `2d` to milliseconds. Returns null for other texts and for
 * more than 90 days.
 */
export const durationMs = (text: string): number | null => {
  const ms = shortMs(text) ?? isoMs(text)
  return ms !== null && ms <= maxMs ? ms : null
}

const shortMs = (text: string): number | null => {
  const match = /^(\d{1,10})(ms|s|m|h|d)$/.exec(text)
  return match ? Number(match[1]) * unitMs[match[2] as keyof typeof unitMs] : null
}

const isoMs = (text: string): number | null => {
  const match = isoPattern.exec(text)
  if (!match || match.slice(1).every(part => part === undefined) || text.endsWith('T')) return null
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map(part => Number(part ?? 0))
  return Math.round(weeks * 7 * dayMs + days * dayMs + hours * 3_600_000 + minutes * 60_000 + seconds * 1000)
}
