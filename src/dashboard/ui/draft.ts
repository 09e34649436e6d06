/** Unsent input, kept while the tab is open, also when the page changes or the session ends. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { parseJson } from '../api/json.ts'

let whose = ''

/** Separates drafts by person and workspace, so that the next person in this tab does not see them. */
export const keepDraftsOf = (userId: string, workspaceId: string): void => {
  whose = `${userId}/${workspaceId}`
}

/** Returns the storage key of a draft. */
export const keptAs = (key: string): string => `draft/${whose}/${key}`

/** Draft of a text. It survives a page change and a reload. */
export const useDraft = (
  key: string,
  initial = '',
): [value: string, change: (value: string) => void, clear: () => void] => {
  const stored = keptAs(key)
  const [value, setValue] = useState(() => sessionStorage.getItem(stored) ?? initial)
  useEffect(() => setValue(sessionStorage.getItem(stored) ?? initial), [stored, initial])
  const change = useCallback(
    (next: string) => {
      setValue(next)
      keep(stored, next)
    },
    [stored],
  )
  const clear = useCallback(() => {
    sessionStorage.removeItem(stored)
    setValue(initial)
  }, [stored, initial])
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
 * Draft of several fields. Only the changed fields are stored. All others follow `initial`, also when another person
 * changes them.
 */
export const useFieldsDraft = <Value extends object>(key: string, initial: Value): Draft<Value> => {
  const written = JSON.stringify(initial)
  const [text, setText, forget] = useDraft(key, nothing)
  const typed = useMemo(() => read(text), [text])
  const value = useMemo(() => ({ ...read(written), ...typed }) as Value, [written, typed])
  const latest = useRef(typed)
  latest.current = typed
  const change = useCallback(
    (part: Partial<Value>) => {
      latest.current = { ...latest.current, ...part }
      setText(JSON.stringify(latest.current))
    },
    [setText],
  )
  const clear = useCallback(() => {
    latest.current = {}
    forget()
  }, [forget])
  return { value, change, dirty: hasDraft(key) && JSON.stringify(value) !== written, clear }
}

const nothing = '{}'

/** Returns true if there is unsent input under this key. */
export const hasDraft = (key: string): boolean => sessionStorage.getItem(keptAs(key)) !== null

const read = (text: string): object => {
  try {
    return parseJson(text) as object
  } catch {
    return {}
  }
}

const keep = (stored: string, text: string): void => {
  try {
    sessionStorage.setItem(stored, text)
  } catch {
    // Storage is full: the draft lasts only as long as the page.
  }
}
