import { type ClipboardEvent, useSyncExternalStore } from 'react'
import { useIntl } from 'react-intl'
import { dateFormat, numberFormat, relativeFormat } from './formats.ts'
import { Hint } from './Hint.tsx'
import { useZone } from './zone.ts'

/** Relative time. The exact time with its zone is shown on hover, and copying gives UTC. */
export const Time = ({
  at,
  exact = false,
  clock: onlyClock = false,
}: {
  at: string
  exact?: boolean
  /** Shows the time of day with seconds, and the date if it is not today. */
  clock?: boolean
}) => {
  const { locale } = useIntl()
  const zone = useZone()
  const now = useNow()
  const moment = new Date(at)
  const fullTime = () => dateFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: zone }).format(moment)
  const copyUtc = (event: ClipboardEvent) => {
    if (document.getSelection()?.toString().trim() !== event.currentTarget.textContent) return
    event.clipboardData.setData('text/plain', moment.toISOString())
    event.preventDefault()
  }
  return (
    <Hint label={() => `${fullTime()} (${zone})`}>
      <time dateTime={moment.toISOString()} onCopy={copyUtc}>
        {onlyClock ? clockTime(moment, now, locale, zone) : exact ? fullTime() : relative(moment, now, locale, zone)}
      </time>
    </Hint>
  )
}

const tickMs = 10_000
let clock = Date.now()
const listeners = new Set<() => void>()
setInterval(() => {
  clock = Date.now()
  for (const listener of listeners) listener()
}, tickMs)

/** Subscribes to the timer that all times on the page share. */
const subscribeTick = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const steps: [limitSeconds: number, unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  [60, 'second', 1],
  [3600, 'minute', 60],
  [86_400, 'hour', 3600],
  [7 * 86_400, 'day', 86_400],
]

/** Returns a relative time in the largest unit that fits, or a date beyond one week. */
export const relative = (moment: Date, now: number, locale: string, zone: string): string => {
  const seconds = Math.round((moment.getTime() - now) / 1000)
  // A time in the future is rounded up, so that a reader does not expect it too early.
  const inUnits = (length: number) => (seconds > 0 ? Math.ceil(seconds / length) : Math.trunc(seconds / length))
  // The rounded value chooses the unit: one hour is never "60 min".
  const step = steps.find(([limit, , length]) => Math.abs(inUnits(length)) * length < limit)
  if (!step) {
    const thisYear = moment.getFullYear() === new Date(now).getFullYear()
    const options: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', timeZone: zone }
    return dateFormat(locale, thisYear ? options : { ...options, year: 'numeric' }).format(moment)
  }
  const [, unit, length] = step
  return relativeFormat(locale, { numeric: 'auto', style: 'short' }).format(inUnits(length), unit)
}

const clockTime = (moment: Date, now: number, locale: string, timeZone: string): string => {
  const day = dateFormat(locale, { day: 'numeric', month: 'short', timeZone })
  const time = dateFormat(locale, { timeStyle: 'medium', timeZone }).format(moment)
  return day.format(moment) === day.format(now) ? time : `${day.format(moment)}, ${time}`
}

/** Returns the current time and renders again every ten seconds. */
export const useNow = (): number => {
  useSyncExternalStore(subscribeTick, () => clock)
  // Not the time of the last tick, because newer records would appear to be in the future.
  return Date.now()
}

/** Duration such as `140 ms`, `2.4 s`, `3 min`, `2 h` or `4 d`. */
export const Duration = ({ ms }: { ms: number }) => <span className="tabular">{useDuration()(ms)}</span>

export const useDuration = (): ((ms: number) => string) => {
  const { locale } = useIntl()
  return ms => {
    const [value, unit] =
      ms < 1000
        ? [ms, 'millisecond']
        : ms < 59_500
          ? [ms / 1000, 'second']
          : ms < 3_570_000
            ? [ms / 60_000, 'minute']
            : ms < 84_600_000
              ? [ms / 3_600_000, 'hour']
              : [ms / 86_400_000, 'day']
    const maximumFractionDigits = (value as number) < 10 && unit !== 'millisecond' ? 1 : 0
    return numberFormat(locale, {
      style: 'unit',
      unit: unit as string,
      unitDisplay: 'short',
      maximumFractionDigits,
    }).format(value as number)
  }
}
