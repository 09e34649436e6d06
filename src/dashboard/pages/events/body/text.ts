/** The JSON that somebody writes, and what stands there before. Pure. */
import { parseJson } from '../../../api/json.ts'

export type Fields = Record<string, unknown>

/** What a shop would send. The number belongs to nobody: it is kept free for use in fiction. */
export const exampleOf = (type = 'order.created'): Fields => ({
  type,
  phone: '+12025550142',
  name: 'Test customer',
  data: { orderId: 'TEST-1', total: 129.9, currency: 'EUR' },
})

/** An example with the fields at fault left open; what was misspelled stands as it was written. */
export const bodyOfFaults = (details: Record<string, string> | null): Fields => {
  const body = exampleOf()
  for (const path of Object.keys(details ?? {})) if (path !== 'body') put(body, path.split('.'), '')
  return body
}

const put = (target: Fields, [name, ...rest]: string[], value: unknown): void => {
  if (name === undefined || name === '__proto__') return
  if (rest.length === 0) {
    target[name] = value
    return
  }
  const inner = target[name]
  if (typeof inner !== 'object' || inner === null) target[name] = {}
  put(target[name] as Fields, rest, value)
}

export const written = (body: Fields): string => JSON.stringify(body, null, 2)

export type Parsed = { fields: Fields } | { fault: 'noJson'; reason: string } | { fault: 'noObject' }

export const parsed = (text: string): Parsed => {
  try {
    const fields = parseJson(text)
    return typeof fields === 'object' && fields !== null && !Array.isArray(fields)
      ? { fields: fields as Fields }
      : { fault: 'noObject' }
  } catch (error) {
    return { fault: 'noJson', reason: error instanceof Error ? error.message : '' }
  }
}
