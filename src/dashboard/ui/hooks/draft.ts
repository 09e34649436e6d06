/** Unsent input, kept while the tab is open, also when the page changes or the session ends. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { parseJson } from '../../api/json.ts'

let scope = ''

/** Separates drafts by person and workspace, so that the next person in this tab does not see them. */
export const setDraftScope = (userId: string, workspaceId: string): void => {
  scope = `${userId}/${workspaceId}`
}

/** Returns the storage key of a draft. */
export const draftKey = (key: string): string => `draft/${scope}/${key}`

/** Draft of a text. It survives a page change and a reload. */
export const useDraft = (
  key: string,
  initial = '',
): [value: string, change: (value: string) => void, clear: () => void] => {
  const storageKey = draftKey(key)
  const [value, setValue] = useState(() => sessionStorage.getItem(storageKey) ?? initial)
  useEffect(() => setValue(sessionStorage.getItem(storageKey) ?? initial), [storageKey, initial])
  const change = useCallback(
    (next: string) => {
      setValue(next)
      save(storageKey, next)
    },
    [storageKey],
  )
  const clear = useCallback(() => {
    sessionStorage.removeItem(storageKey)
    setValue(initial)
  }, [storageKey, initial])
  return [value, change, clear]
}

export interface Draft<Value> {
  value: Value
  change: (part: Partial<Value>) => void
  /** True if there is unsent input that differs from the initial value. */
  dirty: boolean
  /** Removes the draft after it was sent or discarded. */
  clear: () => void
}

/**
 * Draft of several fields. Only the changed fields are stored, and of a map of texts only the changed entries. All others
 * follow `initial`, also when another person changes them.
 */
export const useFieldsDraft = <Value extends object>(key: string, initial: Value): Draft<Value> => {
  const initialJson = JSON.stringify(initial)
  const [text, setText, clearText] = useDraft(key, emptyJson)
  const changes = useMemo(() => parseFields(text), [text])
  const value = useMemo(
    () => addEntries(parseFields(initialJson), { ...parseFields(initialJson), ...changes }) as Value,
    [initialJson, changes],
  )
  const latestChanges = useRef(changes)
  latestChanges.current = changes
  const change = useCallback(
    (part: Partial<Value>) => {
      const initial = parseFields(initialJson) as Partial<Value>
      const changes = { ...latestChanges.current, ...part } as Partial<Value>
      latestChanges.current = withoutEntries(initial, toChanges(initial, changes))
      if (Object.keys(latestChanges.current).length === 0) clearText()
      else setText(JSON.stringify(latestChanges.current))
    },
    [setText, clearText, initialJson],
  )
  const clear = useCallback(() => {
    latestChanges.current = {}
    clearText()
  }, [clearText])
  return { value, change, dirty: hasDraft(key) && JSON.stringify(value) !== initialJson, clear }
}

const emptyJson = '{}'

/** Returns the fields of `after` that differ. A save with only these keeps what other people changed in the others. */
export const toChanges = <Value extends object>(before: Partial<Value>, after: Partial<Value>): Partial<Value> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof Value]),
    ),
  ) as Partial<Value>

type Fields = Record<string, unknown>

const isTexts = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every(text => typeof text === 'string')

const mapTexts = (before: object, after: object, map: (before: Fields, after: Fields) => object): object =>
  Object.fromEntries(
    Object.entries(after).map(([field, value]) => {
      const previous = (before as Fields)[field]
      return [field, isTexts(value) && isTexts(previous) ? map(previous, value) : value]
    }),
  )

/** Adds the entries that a map of texts has in `before` only. */
const addEntries = (before: object, after: object): object =>
  mapTexts(before, after, (before, after) => ({ ...before, ...after }))

/** Removes the entries of a map of texts that are the same in `before`. */
const withoutEntries = <Value extends object>(before: Partial<Value>, after: Partial<Value>): Partial<Value> =>
  mapTexts(before, after, toChanges) as Partial<Value>

/** Returns true if there is unsent input under this key. */
export const hasDraft = (key: string): boolean => sessionStorage.getItem(draftKey(key)) !== null

const parseFields = (text: string): object => {
  try {
    return parseJson(text) as object
  } catch {
    return {}
  }
}

const save = (storageKey: string, text: string): void => {
  try {
    sessionStorage.setItem(storageKey, text)
  } catch {
    // Storage is full: the draft lasts only as long as the page.
  }
}
