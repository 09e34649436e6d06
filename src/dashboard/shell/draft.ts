/** What somebody has typed and not sent yet: kept while the tab lives, whatever becomes of the page or the session. */
import { useCallback, useState } from 'react'
import { useSession } from './session.tsx'

export interface Draft<Value> {
  value: Value
  change: (part: Partial<Value>) => void
  /** It was sent, or is not wanted any more. */
  clear: () => void
}

/**
 * `name` says of what, such as `reply/<id of the conversation>`; a component that shows one and then another of them wants
 * a `key`. Nobody else who signs in here sees it.
 */
export const useDraft = <Value extends object>(name: string, empty: Value): Draft<Value> => {
  const { user, workspace } = useSession()
  const key = `draft/${user.id}/${workspace.id}/${name}`
  const [value, setValue] = useState(() => ({ ...empty, ...kept<Value>(key) }))
  const change = useCallback(
    (part: Partial<Value>) =>
      setValue(before => {
        const after = { ...before, ...part }
        keep(key, after)
        return after
      }),
    [key],
  )
  const clear = () => {
    sessionStorage.removeItem(key)
    setValue(empty)
  }
  return { value, change, clear }
}

const kept = <Value>(key: string): Partial<Value> => {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}')
  } catch {
    return {}
  }
}

const keep = (key: string, value: unknown): void => {
  try {
    sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // There is no room: it is kept as long as the page.
  }
}
