/** Texts of the errors of rejected events. They can contain names of fields that the sender chose. */
import { escapeOverrides } from '../../texts/isolate.ts'

/** Returns the message of an error as a sentence: “phone: Must be …” becomes “phone must be …”. */
export const errorText = (message: string): string =>
  escapeOverrides(message).replace(
    /^([\w.[\]-]+): (Is|Must|Has|Can|Cannot|Needs) /,
    (_, field: string, verb: string) => `${field} ${verb.toLowerCase()} `,
  )

const maxShortLength = 60

/** Returns the start of the sentence, without the explanation after a colon. */
export const shortErrorText = (message: string): string => {
  const text = errorText(message).split(': ', 1)[0]!.replace(/\.$/, '')
  return text.length > maxShortLength ? `${text.slice(0, maxShortLength).trimEnd()}…` : text
}
