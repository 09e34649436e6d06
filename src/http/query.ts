/** Parses and validates query strings with the schema of the operation. */
import type { Static, TSchema } from '@sinclair/typebox'
import { invalidRequest } from '../domain/errors.ts'
import { unknownName, validator } from '../domain/validate.ts'

/** Returns a validator that converts texts to the numbers and booleans of the schema. */
export const queryValidator = <T extends TSchema>(schema: T): ((query: URLSearchParams) => Static<T>) => {
  const validate = validator(schema)
  const properties = (schema.properties ?? {}) as Record<string, TSchema>
  return query => {
    const given: Record<string, unknown> = {}
    for (const [name, text] of query) {
      // A misspelt filter would otherwise be ignored silently.
      if (!Object.hasOwn(properties, name)) throw invalidRequest(unknownName(name, Object.keys(properties)))
      if (text.includes('\0') || !text.isWellFormed())
        throw invalidRequest({ [name]: 'Holds a character that no text can hold.' })
      if (Object.hasOwn(given, name)) throw invalidRequest({ [name]: 'Is given more than once; give it once.' })
      given[name] = read(text, properties[name]!.type)
    }
    return validate(given)
  }
}

/** Leaves a text that does not match the type unchanged, so that validation rejects it. */
const read = (text: string, type: unknown): unknown => {
  if (type === 'integer' && /^\d{1,9}$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  return text
}
