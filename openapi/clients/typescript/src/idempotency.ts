/** Gives events an idempotency key, so that a repeat cannot record them twice (contract 6.4). */

export interface Keyed {
  /** Body to send with every attempt. */
  body: string
  /** Whether a repeat has no further effect. */
  hasKey: boolean
}

/** Operations that take an idempotency key. */
const keyed = /\/v1\/(events|events\/check|events\/batch|conversations\/[^/]+\/messages)$/

/**
 * Adds a key to each recorded event that has none. Other operations keep their body.
 *
 * @param path path of the request, with or without a prefix of a proxy
 * @param header value of `Idempotency-Key`, or null. Batches ignore it.
 * @param newKey called for each missing key
 */
export const withIdempotencyKey = (
  path: string,
  header: string | null,
  body: string,
  newKey: () => string = () => crypto.randomUUID(),
): Keyed => {
  const operation = keyed.exec(path)?.[1]
  const value = operation === undefined ? null : parseObject(body)
  if (value === null) return { body, hasKey: false }
  if (operation === 'events/batch') return keyBatch(value, body, newKey)
  if (header !== null || isKeyed(value)) return { body, hasKey: true }
  if (operation !== 'events') return { body, hasKey: false }
  return { body: JSON.stringify({ ...value, idempotencyKey: newKey() }), hasKey: true }
}

type Fields = Record<string, unknown>

const keyBatch = (value: Fields, body: string, newKey: () => string): Keyed => {
  const { events } = value
  if (!Array.isArray(events) || !events.every(isObject)) return { body, hasKey: false }
  if (events.every(isKeyed)) return { body, hasKey: true }
  const all = events.map(event => (isKeyed(event) ? event : { ...event, idempotencyKey: newKey() }))
  return { body: JSON.stringify({ ...value, events: all }), hasKey: true }
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isKeyed = (value: Fields): boolean => value.idempotencyKey !== undefined

const parseObject = (body: string): Fields | null => {
  try {
    const value: unknown = JSON.parse(body)
    return isObject(value) ? value : null
  } catch {
    // The service answers what is wrong with the body.
    return null
  }
}
