/** Time zones as people name them. */
import { invalidRequest } from './errors.ts'

export const zoneWanted = 'Must be the name of a time zone such as Europe/Berlin or UTC, as IANA lists them.'

/**
 * As it is spelt, however it was typed; 400 for none, under the name of the field. A runtime may know a zone by another of
 * its names; then the one given stays.
 */
export const zoneNamed = (given: string, field = 'timezone'): string => {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions()
    return timeZone.toLowerCase() === given.toLowerCase() ? timeZone : given
  } catch {
    throw invalidRequest({ [field]: zoneWanted })
  }
}
