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

const figureSources: { key: Figure['key']; to: string; select: (hour: Hour) => number }[] = [
  { key: 'events', to: '/events', select: hour => hour.events },
  { key: 'runs', to: '/workflows', select: hour => hour.runsStarted },
  { key: 'messages', to: '/inbox', select: hour => hour.messages.delivered },
  { key: 'deliveries', to: '/webhooks', select: hour => hour.deliveries.delivered },
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
  const partValue = (type: string) => Number(parts.find(one => one.type === type)?.value ?? 0)
  return now - (now % 1000) - ((partValue('hour') * 60 + partValue('minute')) * 60 + partValue('second')) * 1000
}

/** Hours requested from the summary. 50 hours cover yesterday in every time zone. */
export const summaryRange = (now: number): { from: string; to: string } => {
  const end = Math.ceil((now + 1) / hourMs) * hourMs
  return { from: new Date(end - 50 * hourMs).toISOString(), to: new Date(end).toISOString() }
}

/** An hour counts for the day in which it begins. A zone with a half-hour offset is therefore off by half an hour. */
export const toFigures = (hours: Hour[], now: number, zone: string): Figure[] => {
  const midnight = startOfDay(now, zone)
  const sum = (select: (hour: Hour) => number, from: number, to: number) =>
    hours
      .filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < to)
      .reduce((total, hour) => total + select(hour), 0)
  return figureSources.map(({ key, to, select }) => ({
    key,
    to,
    today: sum(select, midnight, now),
    yesterday: sum(select, midnight - dayMs, now - dayMs),
    hours: hours.slice(-24).map(select),
  }))
}
