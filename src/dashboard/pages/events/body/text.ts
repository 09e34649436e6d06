/** Event body as JSON text, and its initial content. Pure functions. */
import { parseJson } from '../../../api/json.ts'

export type Fields = Record<string, unknown>

/** Example event of a shop. The phone number is reserved for fictional use. */
export const exampleOf = (type = 'order.created'): Fields => ({
  type,
  phone: '+12025550142',
  name: 'Test customer',
  data: { orderId: 'TEST-1', total: 129.9, currency: 'EUR' },
})

/** Example event in which the rejected fields are empty. A misspelled field keeps its name as sent. */
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
