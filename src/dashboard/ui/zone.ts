import { createContext, useContext } from 'react'

const systemZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Time zone of all times: the person's choice, otherwise that of the browser. */
export const Zone = createContext<string>(systemZone)
export const useZone = (): string => useContext(Zone)
export const browserZone = systemZone

/** Returns the local time in a zone in the format of a date and time field: `2026-03-01T09:30`. */
export const formatClock = (moment: Date, zone: string): string => {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(moment)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find(one => one.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`
}

/**
 * Returns the moment of a local time in a zone, or null if invalid. A time that occurs twice at a clock change gives
 * one of the two.
 */
export const parseClock = (clock: string, zone: string): Date | null => {
  const utcMs = Date.parse(`${clock}Z`)
  if (Number.isNaN(utcMs)) return null
  const offsetAt = (at: number) => Date.parse(`${formatClock(new Date(at), zone)}Z`) - at
  const approximateMs = utcMs - offsetAt(utcMs)
  return new Date(utcMs - offsetAt(approximateMs))
}
