/** Texts of the errors of rejected events. They can contain names of fields that the sender chose. */
import { escapeOverrides } from '../../texts/isolate.ts'

const ofField = /^([\w.[\]-]+): (Is|Must|Has|Can|Cannot|Needs) /

/** Returns the message of an error as a sentence: “phone: Must be …” becomes “phone must be …”. */
export const errorText = (message: string): string =>
  escapeOverrides(message).replace(ofField, (_, field: string, verb: string) => `${field} ${verb.toLowerCase()} `)

/** Returns the field with which the sentence begins. */
export const fieldOf = (message: string): string | undefined => ofField.exec(message)?.[1]

const maxShortLength = 60

/** Returns the start of the sentence, without the explanation after a colon. */
export const shortErrorText = (message: string): string => {
  const text = errorText(message).split(': ', 1)[0]!.replace(/\.$/, '')
  return text.length > maxShortLength ? `${text.slice(0, maxShortLength).trimEnd()}…` : text
}
