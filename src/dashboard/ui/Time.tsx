import { type ClipboardEvent, useLayoutEffect, useSyncExternalStore } from 'react'
import { useIntl } from 'react-intl'
import { dateFormat, formatDay, formatDuration, formatMeasured, formatRelative } from './formats.ts'
import { Hint } from './Hint.tsx'
import { useZone } from './zone.ts'

/** Relative time. The exact time with its zone is shown on hover, and copying gives UTC. */
export const Time = ({
  at,
  exact = false,
  clock: onlyClock = false,
  after,
}: {
  at: string
  /** Shows the date and the time with seconds. `minutes`: without seconds. */
  exact?: boolean | 'minutes'
  /** Shows the time of day with seconds, and the date if it is not today. `minutes`: without both, below a date. */
  clock?: boolean | 'minutes'
  /** Shows the time that has passed since this one, if that is under a minute. */
  after?: string | null | undefined
}) => {
  const { locale } = useIntl()
  const zone = useZone()
  const moment = new Date(at)
  // A record newer than the clock is not in the future.
  const now = Math.max(useNow(), Math.min(moment.getTime(), Date.now()))
  const fullTime = () => dateFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: zone }).format(moment)
  const textOf = (): string => {
    const passedMs = after == null ? null : moment.getTime() - Date.parse(after)
    if (passedMs !== null && passedMs >= 0 && passedMs < maxPassedMs) return `+${formatDuration(passedMs, locale)}`
    const short = { timeStyle: 'short', timeZone: zone } as const
    if (onlyClock === 'minutes') return dateFormat(locale, short).format(moment)
    if (onlyClock) return clockTime(moment, now, locale, zone)
    if (exact === 'minutes') return dateFormat(locale, { ...short, dateStyle: 'medium' }).format(moment)
    return exact ? fullTime() : formatRelative(moment, now, locale, zone)
  }
  const copyUtc = (event: ClipboardEvent) => {
    if (document.getSelection()?.toString().trim() !== event.currentTarget.textContent) return
    event.clipboardData.setData('text/plain', moment.toISOString())
    event.preventDefault()
  }
  return (
    <Hint label={() => `${fullTime()} (${zone})`}>
      <time dateTime={moment.toISOString()} onCopy={copyUtc}>
        {textOf()}
      </time>
    </Hint>
  )
}

const maxPassedMs = 60_000
const tickMs = 10_000
/** Age of the clock from which a component that renders a time updates it. */
const maxClockAgeMs = 1000
let clock = Date.now()
const listeners = new Set<() => void>()
const tick = () => {
  clock = Date.now()
  for (const listener of listeners) listener()
}
setInterval(tick, tickMs)

/** Subscribes to the timer that all times on the page share. */
const subscribeTick = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const clockTime = (moment: Date, now: number, locale: string, timeZone: string): string => {
  const day = formatDay(moment, now, locale, timeZone)
  const time = dateFormat(locale, { timeStyle: 'medium', timeZone }).format(moment)
  return day === formatDay(now, now, locale, timeZone) ? time : `${day}, ${time}`
}

/**
 * Returns the current time and renders again every ten seconds. All times on the page share it, so that a row and its
 * panel always agree.
 */
export const useNow = (): number => {
  const now = useSyncExternalStore(subscribeTick, () => clock)
  useLayoutEffect(() => {
    if (Date.now() - clock >= maxClockAgeMs) tick()
  })
  return now
}

/** Measured duration such as `<1 ms`, `140 ms`, `2.4 sec`, `3 min` or `4 days`. */
export const Duration = ({ ms }: { ms: number }) => <span className="tabular">{useMeasured()(ms)}</span>

export const useMeasured = (): ((ms: number) => string) => {
  const { locale } = useIntl()
  return ms => formatMeasured(ms, locale)
}

export const useDuration = (): ((ms: number) => string) => {
  const { locale } = useIntl()
  return ms => formatDuration(ms, locale)
}
