/** Parses and validates query strings with the schema of the operation. */
import type { Static, TSchema } from '@sinclair/typebox'
import { invalidRequest } from '../core/errors.ts'
import { unknownFieldDetails, validator } from '../core/validate.ts'

/** Returns a validator that converts texts to the numbers and booleans of the schema. */
export const queryValidator = <T extends TSchema>(schema: T): ((query: URLSearchParams) => Static<T>) => {
  const validate = validator(schema)
  const properties = (schema.properties ?? {}) as Record<string, TSchema>
  return query => {
    const values: Record<string, unknown> = {}
    for (const [name, text] of query) {
      // A misspelt filter would otherwise be ignored silently.
      if (!Object.hasOwn(properties, name)) throw invalidRequest(unknownFieldDetails(name, Object.keys(properties)))
      if (text.includes('\0') || !text.isWellFormed())
        throw invalidRequest({ [name]: 'Contains a character that is not allowed in text. Remove it.' })
      if (Object.hasOwn(values, name)) throw invalidRequest({ [name]: 'Occurs more than once. Send it once.' })
      values[name] = convert(text, properties[name]!.type)
    }
    return validate(values)
  }
}

/** Leaves a text that does not match the type unchanged, so that validation rejects it. */
const convert = (text: string, type: unknown): unknown => {
  if (type === 'integer' && /^\d{1,9}$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  return text
}
