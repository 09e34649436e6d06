/** Event body as JSON text, and its initial content. Pure functions. */
import type { Schemas } from '../../../api/client.ts'
import { parseJson } from '../../../api/json.ts'

export type Fields = Record<string, unknown>

/** Example event of a shop. The phone number is reserved for fictional use. */
export const makeExample = (type = 'order.created'): Fields => ({
  type,
  phone: '+12025550142',
  name: 'Test customer',
  data: { orderId: 'TEST-1', total: 129.9, currency: 'EUR' },
})

/**
 * Body to correct a rejected event: the stored structure with placeholder values, or an example. The rejected fields are
 * empty. Unknown fields keep their name as sent, or get the suggested one with `applySuggestions`.
 */
export const makeBodyForProblem = (
  { sample, details, suggestions }: Pick<Schemas['NotAccepted'], 'sample' | 'details' | 'suggestions'>,
  applySuggestions: boolean,
): Fields => {
  const body: Fields = sample ? fillSample(sample) : makeExample()
  const faults = Object.keys(details ?? {}).filter(path => path !== 'body')
  for (const path of faults) {
    const name = applySuggestions ? suggestions[path] : undefined
    const parts = path.split('.')
    if (name !== undefined) renamePath(body, parts, name)
    else if (!sample || getPath(body, parts) === undefined || suggestions[path] === undefined) setPath(body, parts, '')
  }
  return body
}

/** Replaces the type names of a sample by values of these types. Omitted and masked fields are left out. */
const fillSample = (sample: Fields, isItem = false): Fields =>
  Object.fromEntries(
    Object.entries(sample).flatMap(([name, value]) =>
      name === '…' || /^name\(\d+\)$/.test(name)
        ? []
        : [[name, fillValue(value, isItem && name === 'name' ? '' : name)]],
    ),
  )

const exampleValues: Record<string, unknown> = {
  type: 'order.created',
  phone: '+12025550142',
  name: 'Test customer',
  email: 'test@shop.example',
  externalId: 'TEST-1',
  occurredAt: '2026-01-01T12:00:00Z',
}

const fillValue = (value: unknown, name: string): unknown => {
  if (Array.isArray(value)) return value.filter(one => !String(one).startsWith('…')).map(one => fillValue(one, ''))
  if (typeof value === 'object' && value !== null) return fillSample(value as Fields, true)
  if (value === 'number') return 1
  if (value === 'boolean') return true
  if (value === 'null') return null
  if (typeof value === 'string' && /^string\(\d+\)$/.test(value)) return exampleValues[name] ?? 'text'
  return value
}

const getPath = (target: Fields, [name, ...rest]: string[]): unknown => {
  const value = name === undefined || !Object.hasOwn(target, name) ? undefined : target[name]
  return rest.length === 0 || typeof value !== 'object' || value === null ? value : getPath(value as Fields, rest)
}

/** Renames a field and keeps its place. */
const renamePath = (target: Fields, [name, ...rest]: string[], newName: string): void => {
  const child = name === undefined ? undefined : target[name]
  if (rest.length > 0) {
    if (typeof child === 'object' && child !== null) renamePath(child as Fields, rest, newName)
    return
  }
  const entries = Object.entries(target).map(([key, value]): [string, unknown] =>
    key === name ? [newName, exampleValues[newName] ?? value] : [key, value],
  )
  for (const key of Object.keys(target)) delete target[key]
  Object.assign(target, Object.fromEntries(entries))
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
