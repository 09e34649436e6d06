import { useCallback, useEffect, useState } from 'react'

let whose = ''

/** Nobody else who signs in here later sees what this person typed. */
export const keepDraftsOf = (userId: string): void => {
  whose = userId
}

const storedAs = (key: string): string => `draft:${whose}:${key}`

/** What is typed and not sent yet: it is still there after another page was looked at, or this one loaded anew. */
export const useDraft = (
  key: string,
  initial = '',
): [value: string, change: (value: string) => void, clear: () => void] => {
  const stored = storedAs(key)
  const [value, setValue] = useState(() => sessionStorage.getItem(stored) ?? initial)
  useEffect(() => setValue(sessionStorage.getItem(stored) ?? initial), [stored, initial])
  const change = useCallback(
    (next: string) => {
      setValue(next)
      sessionStorage.setItem(stored, next)
    },
    [stored],
  )
  const clear = useCallback(() => {
    sessionStorage.removeItem(stored)
    setValue(initial)
  }, [stored, initial])
  return [value, change, clear]
}

/** Whether something was typed under this key that was neither sent nor thrown away. */
export const hasDraft = (key: string): boolean => sessionStorage.getItem(storedAs(key)) !== null
