/**
 * Draft of a workflow in the editor, with undo and redo. Changes that are not saved yet are kept in the browser, also
 * when the tab closes. It detects concurrent saves by other people.
 */
import { useCallback, useEffect, useState } from 'react'
import { parseJson } from '../../api/json.ts'
import { draftKey } from '../../ui/hooks/draft.ts'
import { isDrawable, isEqual } from './definition/edit.ts'
import type { Definition, DrawnWorkflow } from './definition/types.ts'

const maxPast = 100

interface DraftHistory {
  /** Definition in the editor. */
  present: Definition
  /** Saved definition when the changes began. */
  base: Definition
  /** Time of the record with `base`. An older record, from a read in flight, is ignored. */
  baseAt: string
  past: Definition[]
  future: Definition[]
}

export interface Draft {
  definition: Definition
  /** True if the definition differs from the saved one. */
  isChanged: boolean
  /** Definition that another person has saved since the changes began, or null. */
  theirs: Definition | null
  change: (to: Definition) => void
  undo: (() => void) | null
  redo: (() => void) | null
  /** Takes the saved record as the new base. */
  markSaved: (saved: DrawnWorkflow) => void
  /** Replaces the draft with the other person's version. Undo restores the own one. */
  acceptTheirs: () => void
  /** Keeps the own draft. Saving it then replaces the other version. */
  overwriteTheirs: () => void
}

const storageKey = (id: string) => draftKey(`workflow/${id}`)

const readStored = (id: string): DraftHistory | null => {
  try {
    const history: Partial<DraftHistory> = parseJson(localStorage.getItem(storageKey(id)) ?? 'null') ?? {}
    return isDrawable(history.present) && isDrawable(history.base)
      ? { present: history.present, base: history.base, baseAt: history.baseAt ?? '', past: [], future: [] }
      : null
  } catch {
    return null
  }
}

const store = (id: string, draft: Pick<DraftHistory, 'present' | 'base' | 'baseAt'>) => {
  try {
    localStorage.setItem(storageKey(id), JSON.stringify(draft))
  } catch {
    // Storage is full: the changes last until they are saved.
  }
}

/** Returns true if this browser has changes of the workflow that are not saved yet. */
export const hasUnsavedChanges = (id: string): boolean => localStorage.getItem(storageKey(id)) !== null

/** Removes the changes that this browser keeps, unless another tab has stored others since. */
export const forgetUnsaved = (id: string, known: Definition): void => {
  const stored = readStored(id)
  if (stored === null || isEqual(stored.present, known)) localStorage.removeItem(storageKey(id))
}

/** `workflow` is the current response of the API and can change during editing. */
export const useDraft = (workflow: DrawnWorkflow): Draft => {
  const { id } = workflow
  const { draft: server, updatedAt } = workflow
  const [history, setHistory] = useState<DraftHistory>(
    () => readStored(id) ?? { present: server, base: server, baseAt: updatedAt, past: [], future: [] },
  )
  const isChanged = !isEqual(history.present, history.base)
  const isServerChanged = updatedAt > history.baseAt && !isEqual(history.base, server)

  // Without own changes, the editor takes over the new version. An equal version is only a new base.
  useEffect(() => {
    if (!isServerChanged) return
    if (isEqual(history.present, server)) setHistory(previous => ({ ...previous, base: server, baseAt: updatedAt }))
    else if (!isChanged) setHistory({ present: server, base: server, baseAt: updatedAt, past: [], future: [] })
  }, [isServerChanged, isChanged, server, updatedAt, history.present])

  useEffect(() => {
    if (!isChanged) return forgetUnsaved(id, history.present)
    const keep = () => store(id, { present: history.present, base: history.base, baseAt: history.baseAt })
    keep()
    // Another tab can have stored and saved its own changes since.
    window.addEventListener('pagehide', keep)
    return () => window.removeEventListener('pagehide', keep)
  }, [id, isChanged, history])

  const change = useCallback(
    (to: Definition) =>
      setHistory(previous => {
        const { present, past } = previous
        const isSame = isEqual(present, to)
        return { ...previous, present: to, past: isSame ? past : [...past, present].slice(-maxPast), future: [] }
      }),
    [],
  )
  const { past, future } = history
  return {
    definition: history.present,
    isChanged,
    theirs: isServerChanged && isChanged ? server : null,
    change,
    undo:
      past.length === 0
        ? null
        : () =>
            setHistory(({ present, past, future, ...rest }) => ({
              ...rest,
              present: past.at(-1) ?? present,
              past: past.slice(0, -1),
              future: [present, ...future],
            })),
    redo:
      future.length === 0
        ? null
        : () =>
            setHistory(({ present, past, future, ...rest }) => ({
              ...rest,
              present: future[0] ?? present,
              past: [...past, present],
              future: future.slice(1),
            })),
    markSaved: ({ draft, updatedAt }) => setHistory(previous => ({ ...previous, base: draft, baseAt: updatedAt })),
    acceptTheirs: () =>
      setHistory(({ present, past }) => ({
        present: server,
        base: server,
        baseAt: updatedAt,
        past: [...past, present],
        future: [],
      })),
    overwriteTheirs: () => setHistory(previous => ({ ...previous, base: server, baseAt: updatedAt })),
  }
}
