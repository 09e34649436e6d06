/** What somebody has typed and not sent yet: kept while the tab lives, whatever becomes of the page or the session. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { parseJson } from '../api/json.ts'

let whose = ''

/** Nobody else who signs in here later sees what this person typed, nor do they in another workspace. */
export const keepDraftsOf = (userId: string, workspaceId: string): void => {
  whose = `${userId}/${workspaceId}`
}

/** Under which name something is kept in the tab. */
export const keptAs = (key: string): string => `draft/${whose}/${key}`

/** A text. It is still there after another page was looked at, or this one loaded anew. */
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
  /** Something was typed that is neither sent nor thrown away, and is not what stood there before. */
  dirty: boolean
  /** It was sent, or is not wanted any more. */
  clear: () => void
}

/**
 * The same of several fields. Only those that were typed are kept: all others are as in `initial`, also once somebody else
 * has changed them.
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

/** Whether something was typed under this key that was neither sent nor thrown away. */
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
    // There is no room: it is kept as long as the page.
  }
}
