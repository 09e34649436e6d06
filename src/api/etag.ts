/** Supports the headers ETag and If-Match, which let a caller change a record only if it still has a known version. */
import { invalidRequest } from '../core/errors.ts'
import { etagOf } from '../core/version.ts'
import type { Answer, Operation } from './operation.ts'

/** Maximum number of characters of the header. */
const maxHeaderCharacters = 1000

/** End of the ETag of a compressed answer. A strong ETag names exact bytes, so each encoding has another (RFC 9110, 8.8.3.3). */
const compressedEnd = '-gzip"'

/** Returns the headers of the compressed form of an answer with these headers. */
export const compressedHeaders = ({ ETag, ...headers }: Record<string, string>): Record<string, string> => ({
  ...headers,
  'Content-Encoding': 'gzip',
  ...(ETag !== undefined && { ETag: ETag.slice(0, -1) + compressedEnd }),
})

/**
 * Returns the entity tags of If-Match, without their encoding: both forms of an answer name the same version. Null if it
 * is absent or `*`. Throws 400 if the header is not a list of entity tags.
 */
export const ifMatchOf = ({ headers }: Request): string[] | null => {
  const header = headers.get('if-match')?.trim()
  if (header === undefined || header === '*') return null
  const tags = header
    .slice(0, maxHeaderCharacters)
    .split(',')
    .map(tag => tag.trim())
  if (tags.every(tag => /^(?:W\/)?"[^"]*"$/.test(tag)))
    return tags.map(tag => (tag.endsWith(compressedEnd) ? `${tag.slice(0, -compressedEnd.length)}"` : tag))
  throw invalidRequest({ 'If-Match': 'Must be an ETag from a response, in quotation marks, or *.' })
}

/** Adds the ETag of the returned record if the operation is versioned. */
export const addEtag = (
  { versioned }: Operation,
  buildAnswer: (result: Answer) => Answer,
): ((result: Answer) => Answer) => {
  if (!versioned) return buildAnswer
  return result => {
    const { body, headers, ...rest } = buildAnswer(result)
    const updatedAt = updatedAtOf(body)
    return { ...rest, body, headers: { ...headers, ...(updatedAt !== null && { ETag: etagOf(updatedAt) }) } }
  }
}

/** Returns the time of the last change. Null if the body is not a record. */
const updatedAtOf = (body: unknown): string | null => {
  if (typeof body !== 'object' || body === null) return null
  const at: unknown = Reflect.get(body, 'updatedAt')
  return typeof at === 'string' ? at : null
}
