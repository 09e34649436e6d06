/** Input of a test. */
import { parseJson } from '../../../api/json.ts'

export interface TestInput extends Record<string, unknown> {
  kind: 'past' | 'own'
  eventId: string | null
  event: {
    phone: string
    name: string
    /** Event data as JSON. */
    data: string
  }
}

export const emptyInput: TestInput = {
  kind: 'past',
  eventId: null,
  event: { phone: '', name: '', data: '{\n  "total": 120\n}' },
}

/** Returns the object in a JSON text, or null if it is none. */
export const parseData = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = text.trim() === '' ? {} : parseJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
