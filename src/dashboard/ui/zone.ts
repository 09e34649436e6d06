import { createContext, useContext } from 'react'

const own = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The zone that times are told in: the person's choice, else that of the browser. */
export const Zone = createContext<string>(own)
export const useZone = (): string => useContext(Zone)
export const browserZone = own

/** What a clock in that zone shows at a moment, as a field for date and time takes it: `2026-03-01T09:30`. */
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

/** The moment at which a clock in that zone shows it; null for what is no time. Where clocks are set, one of the two. */
export const momentOf = (clock: string, zone: string): Date | null => {
  const wanted = Date.parse(`${clock}Z`)
  if (Number.isNaN(wanted)) return null
  const off = (at: number) => Date.parse(`${clockOf(new Date(at), zone)}Z`) - at
  const near = wanted - off(wanted)
  return new Date(wanted - off(near))
}
