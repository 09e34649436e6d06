/** Cached date and number formats. Creating one takes longer than rendering a cell. */
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
export const relativeFormat = memoize(
  (locale, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, options),
)
export const numberFormat = memoize(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
)
