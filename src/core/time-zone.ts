/** Validation of IANA time zone names. */
import { invalidRequest } from './errors.ts'

export const timeZoneMessage = 'Must be an IANA time zone such as Europe/Berlin or UTC.'

/**
 * Returns the name in its official spelling, ignoring case. Throws a 400 for an unknown zone, with `field` as the name
 * of the field. If the runtime resolves an alias to another name, the given name is kept.
 */
export const parseTimeZone = (name: string, field = 'timezone'): string => {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name
  } catch {
    throw invalidRequest({ [field]: timeZoneMessage })
  }
}
