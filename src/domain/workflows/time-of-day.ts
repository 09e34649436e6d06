/** When a time of day comes next, by the clocks of a place. Pure. */

/** As they are written in a definition, from Monday on. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

export interface TimeOfDay {
  /** `09:00`. */
  time: string
  /** Those on which it counts; on all of them where they are left out. */
  weekdays?: readonly Weekday[]
}

const maxZoneCharacters = 64

/** Whether it names a zone as IANA does; an offset such as +01:00 does not. */
export const isZone = (name: unknown): name is string => {
  if (typeof name !== 'string' || name.length > maxZoneCharacters || !/^[A-Za-z]/.test(name)) return false
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
    return true
  } catch {
    return false
  }
}

/** By whose clocks a time of day is meant that names none: the customer's, where theirs is a zone, else the workspace's. */
export const zoneFor = (ofCustomer: unknown, ofWorkspace: string): string => {
  if (isZone(ofCustomer)) return ofCustomer
  return isZone(ofWorkspace) ? ofWorkspace : 'UTC'
}

/**
 * The first moment after `from` at which the clocks of the zone show it. Where they are put forward over it, it is the
 * moment at which they are; where they show it twice, the first time.
 */
export const nextTimeOfDay = (from: Date, { time, weekdays: wanted }: TimeOfDay, zone: string): Date => {
  const after = Temporal.Instant.fromEpochMilliseconds(from.getTime())
  const today = after.toZonedDateTimeISO(zone).toPlainDate()
  for (let days = 0; days <= maxDays; days++) {
    const date = today.add({ days })
    if (wanted && !wanted.includes(weekdays[date.dayOfWeek - 1]!)) continue
    const moment = momentOf(date.toPlainDateTime(time), zone)
    if (Temporal.Instant.compare(moment, after) > 0) return new Date(moment.epochMilliseconds)
  }
  throw new Error('no day of two weeks is one of the weekdays')
}

/** A week, and one more where the only day that counts is today and its time was. */
const maxDays = 14

const momentOf = (shown: Temporal.PlainDateTime, zone: string): Temporal.Instant => {
  const first = shown.toZonedDateTime(zone, { disambiguation: 'earlier' })
  if (first.toPlainDateTime().equals(shown)) return first.toInstant()
  // It is not shown: `first` lies before the change by as much as it was left out.
  return (first.getTimeZoneTransition('next') ?? first).toInstant()
}
