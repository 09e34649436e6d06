/** Labels of the buckets of a time chart. */
import { useIntl } from 'react-intl'
import { dateFormat } from '../formats.ts'
import { useZone } from '../zone.ts'
import type { Bucket } from './series.ts'

/** Space in pixels for a label of the axis, without and with seconds. */
const labelWidth = 72
const labelWidthOfSeconds = 88
/** Mean width in pixels of a character of the axis. */
const characterWidth = 6
const dayMs = 86_400_000

/** Unit of the buckets, with which their times are shown. A bucket can be several units long. */
export type BucketUnit = 'second' | 'hour' | 'day'

/** Times are shown in the person's time zone. Days are days in UTC, as the API counts them: the chart says so. */
export const useBucketLabels = (by: BucketUnit) => {
  const { locale } = useIntl()
  const zone = useZone()
  const timeZone = by === 'day' ? 'UTC' : zone
  const day = dateFormat(locale, { day: 'numeric', month: 'short', timeZone })
  const hour = dateFormat(locale, {
    hour: 'numeric',
    minute: '2-digit',
    ...(by === 'second' && { second: '2-digit' }),
    timeZone,
  })
  const weekday = dateFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', timeZone })
  return {
    full: (at: string): string =>
      by === 'day' ? weekday.format(new Date(at)) : `${weekday.format(new Date(at))}, ${hour.format(new Date(at))}`,
    /** Returns as many labels as fit, each with the center in pixels at which it is not cut off. */
    axis: (rows: readonly Bucket[], width: number): { index: number; text: string; center: number }[] => {
      const space = by === 'second' ? labelWidthOfSeconds : labelWidth
      const step = Math.max(Math.ceil((rows.length * space) / Math.max(width, space)), 1)
      const showsDays = by === 'day' || spanOf(rows) > 2 * dayMs
      return rows
        .map(({ at }, index) => ({ index, text: (showsDays ? day : hour).format(new Date(at)) }))
        .filter(({ index }) => index % step === Math.floor(step / 2))
        .filter(({ text }, position, kept) => text !== kept[position - 1]?.text)
        .map(({ index, text }) => {
          const half = (text.length * characterWidth) / 2
          const middle = ((index + 0.5) / rows.length) * width
          return { index, text, center: Math.max(Math.min(middle, width - half), half) }
        })
    },
  }
}

/** Returns the time from the first to the last bucket, in milliseconds. */
const spanOf = (rows: readonly Bucket[]): number => Date.parse(rows.at(-1)?.at ?? '') - Date.parse(rows[0]?.at ?? '')
