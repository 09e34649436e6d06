/** Input of a test, kept when the person leaves the page. */
import { useEffect, useState } from 'react'
import { parseJson } from '../../../api/json.ts'
import { draftKey } from '../../../ui/hooks/draft.ts'

export interface TestInput {
  kind: 'past' | 'own'
  eventId: string | null
  phone: string
  name: string
  /** Event data as JSON. */
  data: string
}

const storageKey = (id: string) => draftKey(`workflow-try/${id}`)

const readInput = (id: string): TestInput => {
  const emptyInput: TestInput = { kind: 'past', eventId: null, phone: '', name: '', data: '{\n  "total": 120\n}' }
  try {
    return { ...emptyInput, ...JSON.parse(sessionStorage.getItem(storageKey(id)) ?? '{}') }
  } catch {
    return emptyInput
  }
}

/** `event` is the past event to start with. */
export const useTestInput = (id: string, event: string | undefined) => {
  const [input, setInput] = useState<TestInput>(() => {
    const storedInput = readInput(id)
    return event ? { ...storedInput, kind: 'past', eventId: event } : storedInput
  })
  useEffect(() => sessionStorage.setItem(storageKey(id), JSON.stringify(input)), [id, input])
  return [input, setInput] as const
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
