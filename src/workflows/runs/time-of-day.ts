/** Computes the next occurrence of a time of day in a time zone. Pure. */

/** Names of the weekdays in a definition, starting with Monday. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

export interface TimeOfDay {
  /** Local time such as `09:00`. */
  time: string
  /** Weekdays on which it applies. Defaults to every day. */
  weekdays?: readonly Weekday[]
}

const maxZoneCharacters = 64

/** Returns whether the text is an IANA time zone. An offset such as +01:00 is not. */
export const isZone = (name: unknown): name is string => {
  if (typeof name !== 'string' || name.length > maxZoneCharacters || !/^[A-Za-z]/.test(name)) return false
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
    return true
  } catch {
    return false
  }
}

/** Returns the time zone for a step that names none: the customer's if valid, otherwise the workspace's. */
export const zoneFor = (customerZone: unknown, workspaceZone: string): string => {
  if (isZone(customerZone)) return customerZone
  return isZone(workspaceZone) ? workspaceZone : 'UTC'
}

/**
 * Returns the first time after `from` at which clocks in the zone show this time of day. If a clock change skips it,
 * returns the time of the change. If it occurs twice, returns the first.
 */
export const nextTimeOfDay = (from: Date, { time, weekdays: allowedDays }: TimeOfDay, zone: string): Date => {
  const after = Temporal.Instant.fromEpochMilliseconds(from.getTime())
  const today = after.toZonedDateTimeISO(zone).toPlainDate()
  for (let days = 0; days <= maxDays; days++) {
    const date = today.add({ days })
    if (allowedDays && !allowedDays.includes(weekdays[date.dayOfWeek - 1]!)) continue
    const instant = instantOf(date.toPlainDateTime(time), zone)
    if (Temporal.Instant.compare(instant, after) > 0) return new Date(instant.epochMilliseconds)
  }
  throw new Error('no day of two weeks is one of the weekdays')
}

/** One week, plus one if today is the only valid weekday and its time has passed. */
const maxDays = 14

const instantOf = (localTime: Temporal.PlainDateTime, zone: string): Temporal.Instant => {
  const first = localTime.toZonedDateTime(zone, { disambiguation: 'earlier' })
  if (first.toPlainDateTime().equals(localTime)) return first.toInstant()
  // The time is skipped by a clock change. `first` lies before the change, by as much time as was skipped.
  return (first.getTimeZoneTransition('next') ?? first).toInstant()
}
