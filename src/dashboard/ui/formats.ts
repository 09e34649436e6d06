/** Texts of times, durations, numbers and names. The formats are cached: creating one takes longer than rendering a cell. */
const memoize = <Options, Format>(create: (locale: string, options: Options) => Format) => {
  const cache = new Map<string, Format>()
  return (locale: string, options: Options): Format => {
    const key = `${locale} ${JSON.stringify(options)}`
    const format = cache.get(key) ?? create(locale, options)
    cache.set(key, format)
    return format
  }
}

export const dateFormat = memoize(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
)
const relativeFormat = memoize(
  (locale, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, options),
)
export const numberFormat = memoize(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
)

const steps: [limitSeconds: number, unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  [60, 'second', 1],
  [3600, 'minute', 60],
  [86_400, 'hour', 3600],
  [7 * 86_400, 'day', 86_400],
]

/** Returns a relative time in the largest unit that fits, or a date beyond one week. */
export const formatRelative = (moment: Date, now: number, locale: string, zone: string): string => {
  const seconds = Math.round((moment.getTime() - now) / 1000)
  // A time in the future is rounded up, so that a reader does not expect it too early.
  const inUnits = (length: number) => (seconds > 0 ? Math.ceil(seconds / length) : Math.trunc(seconds / length))
  // The rounded value chooses the unit: one hour is never "60 min".
  const step = steps.find(([limit, , length]) => Math.abs(inUnits(length)) * length < limit)
  if (!step) return formatDay(moment, now, locale, zone)
  const [, unit, length] = step
  return relativeFormat(locale, { numeric: 'auto', style: 'short' }).format(inUnits(length), unit)
}

/** Returns a day in the person's time zone, with its year unless it is the current one. */
export const formatDay = (moment: Date | number, now: number, locale: string, timeZone: string): string => {
  const yearOf = (at: Date | number) => dateFormat(locale, { year: 'numeric', timeZone }).format(at)
  const year = yearOf(moment) === yearOf(now) ? undefined : 'numeric'
  return dateFormat(locale, { day: 'numeric', month: 'short', year, timeZone }).format(moment)
}

/** Returns a duration such as `140 ms`, `2.4 sec`, `3 min`, `6 hr 24 min`, `20 hr` or `1 day 12 hr`. */
export const formatDuration = (ms: number, locale: string): string => {
  if (ms < 999.5) return formatUnit(ms, 'millisecond', locale)
  if (ms < 59_500) return formatUnit(ms / 1000, 'second', locale, ms < 10_000 ? 1 : 0)
  if (ms < 3_570_000) return formatUnit(ms / 60_000, 'minute', locale, ms < 600_000 ? 1 : 0)
  return ms < 84_600_000
    ? formatUnits(ms, ['hour', 3_600_000], ['minute', 60_000], locale)
    : formatUnits(ms, ['day', 86_400_000], ['hour', 3_600_000], locale)
}

const formatUnit = (value: number, unit: string, locale: string, maximumFractionDigits = 0): string =>
  numberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits }).format(value)

/** Fewer than 10 of the larger unit are followed by the rest in the smaller one, unless it is 0. */
const formatUnits = (
  ms: number,
  [large, largeMs]: [unit: string, ms: number],
  [small, smallMs]: [unit: string, ms: number],
  locale: string,
): string => {
  const parts = largeMs / smallMs
  const total = Math.round(ms / smallMs)
  const whole = Math.floor(total / parts)
  if (whole >= 10) return formatUnit(ms / largeMs, large, locale)
  const rest = total % parts
  if (rest === 0) return formatUnit(whole, large, locale)
  // A line breaks between the units.
  const units = [formatUnit(whole, large, locale), formatUnit(rest, small, locale)]
  return units.map(text => text.replaceAll(' ', '\u00A0')).join(' ')
}

/** Returns a measured duration. Measurements are rounded down, so that 0 means less than 1 ms. */
export const formatMeasured = (ms: number, locale: string): string =>
  ms < 1 ? `<${formatDuration(1, locale)}` : formatDuration(ms, locale)

/** Maximum number of characters of a name in the title of a dialog. */
const maxTitleName = 40

/** Returns a name for the title of a dialog. A long one is cut, so that the end of the title stays visible. */
export const shortName = (name: string): string => {
  const characters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment)
  return characters.length > maxTitleName ? `${characters.slice(0, maxTitleName - 1).join('')}…` : name
}

/** Returns a title as part of a sentence. An abbreviation, such as “API keys”, keeps its capitals. */
export const lowerFirst = (title: string): string =>
  /^\p{Lu}\p{Ll}/u.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title
