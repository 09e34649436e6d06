/** Validation of IANA time zone names. */
import { invalidRequest } from './errors.ts'

export const zoneWanted = 'Must be the name of a time zone such as Europe/Berlin or UTC, as IANA lists them.'

/**
 * Returns the name in its official spelling, ignoring case. Throws a 400 for an unknown zone, with `field` as the name
 * of the field. If the runtime resolves an alias to another name, the given name is kept.
 */
export const zoneNamed = (given: string, field = 'timezone'): string => {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions()
    return timeZone.toLowerCase() === given.toLowerCase() ? timeZone : given
  } catch {
    throw invalidRequest({ [field]: zoneWanted })
  }
}
