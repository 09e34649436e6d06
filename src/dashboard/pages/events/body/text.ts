/** Event body as JSON text, and its initial content. Pure functions. */
import { parseJson } from '../../../api/json.ts'

export type Fields = Record<string, unknown>

/** Example event of a shop. The phone number is reserved for fictional use. */
export const makeExample = (type = 'order.created'): Fields => ({
  type,
  phone: '+12025550142',
  name: 'Test customer',
  data: { orderId: 'TEST-1', total: 129.9, currency: 'EUR' },
})

/** Example event in which the rejected fields are empty. A misspelled field keeps its name as sent. */
export const makeBodyForFaults = (details: Record<string, string> | null): Fields => {
  const body = makeExample()
  for (const path of Object.keys(details ?? {})) if (path !== 'body') setPath(body, path.split('.'), '')
  return body
}

const setPath = (target: Fields, [name, ...rest]: string[], value: unknown): void => {
  if (name === undefined || name === '__proto__') return
  if (rest.length === 0) {
    target[name] = value
    return
  }
  const child = target[name]
  if (typeof child !== 'object' || child === null) target[name] = {}
  setPath(target[name] as Fields, rest, value)
}

export const formatBody = (body: Fields): string => JSON.stringify(body, null, 2)

export type ParsedBody = { fields: Fields } | { fault: 'noJson'; reason: string } | { fault: 'noObject' }

export const parseBody = (text: string): ParsedBody => {
  try {
    const fields = parseJson(text)
    return typeof fields === 'object' && fields !== null && !Array.isArray(fields)
      ? { fields: fields as Fields }
      : { fault: 'noObject' }
  } catch (error) {
    return { fault: 'noJson', reason: error instanceof Error ? error.message : '' }
  }
}
