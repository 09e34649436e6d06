/** Figures of today and yesterday, computed from the hourly summary. */
import type { Schemas } from '../../api/client.ts'

type Hour = Schemas['ActivitySummary']

export interface Figure {
  key: 'events' | 'runs' | 'messages' | 'deliveries'
  /** Page that the figure links to. */
  to: string
  today: number
  yesterday: number
  /** Values of the last 24 hours, oldest first. */
  hours: number[]
}

const counts: { key: Figure['key']; to: string; of: (hour: Hour) => number }[] = [
  { key: 'events', to: '/events', of: hour => hour.events },
  { key: 'runs', to: '/workflows', of: hour => hour.runsStarted },
  { key: 'messages', to: '/inbox', of: hour => hour.messages.delivered },
  { key: 'deliveries', to: '/webhooks', of: hour => hour.deliveries.delivered },
]

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Returns the start of the current day in a time zone, in milliseconds since the epoch. */
export const startOfDay = (now: number, zone: string): number => {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(now)
  const part = (type: string) => Number(parts.find(one => one.type === type)?.value ?? 0)
  return now - (now % 1000) - ((part('hour') * 60 + part('minute')) * 60 + part('second')) * 1000
}

/** Hours requested from the summary. 50 hours cover yesterday in every time zone. */
export const spanOf = (now: number): { from: string; to: string } => {
  const end = Math.ceil((now + 1) / hourMs) * hourMs
  return { from: new Date(end - 50 * hourMs).toISOString(), to: new Date(end).toISOString() }
}

/** An hour counts for the day in which it begins. A zone with a half-hour offset is therefore off by half an hour. */
export const figuresOf = (hours: Hour[], now: number, zone: string): Figure[] => {
  const midnight = startOfDay(now, zone)
  const sum = (of: (hour: Hour) => number, from: number, to: number) =>
    hours.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < to).reduce((all, hour) => all + of(hour), 0)
  return counts.map(({ key, to, of }) => ({
    key,
    to,
    today: sum(of, midnight, now),
    yesterday: sum(of, midnight - dayMs, now - dayMs),
    hours: hours.slice(-24).map(of),
  }))
}
