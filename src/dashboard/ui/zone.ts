import { createContext, useContext } from 'react'

const own = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Time zone of all times: the person's choice, otherwise that of the browser. */
export const Zone = createContext<string>(own)
export const useZone = (): string => useContext(Zone)
export const browserZone = own

/** Returns the local time in a zone in the format of a date and time field: `2026-03-01T09:30`. */
export const clockOf = (moment: Date, zone: string): string => {
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
export const momentOf = (clock: string, zone: string): Date | null => {
  const wanted = Date.parse(`${clock}Z`)
  if (Number.isNaN(wanted)) return null
  const off = (at: number) => Date.parse(`${clockOf(new Date(at), zone)}Z`) - at
  const near = wanted - off(wanted)
  return new Date(wanted - off(near))
}
