/** Unsaved changes of a workflow, kept in the tab with undo and redo. It detects concurrent saves by other people. */
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
  /** Marks the definition as saved. */
  markSaved: (markSaved: Definition) => void
  /** Replaces the draft with the other person's version. Undo restores the own one. */
  acceptTheirs: () => void
  /** Keeps the own draft. Saving it then replaces the other version. */
  overwriteTheirs: () => void
  /** Returns to the saved definition. */
  discard: () => void
}

const storageKey = (id: string) => draftKey(`workflow/${id}`)

const readStored = (id: string): DraftHistory | null => {
  try {
    const history: Partial<DraftHistory> = parseJson(sessionStorage.getItem(storageKey(id)) ?? 'null') ?? {}
    return isDrawable(history.present) && isDrawable(history.base)
      ? { present: history.present, base: history.base, past: [], future: [] }
      : null
  } catch {
    return null
  }
}

/** `workflow` is the current response of the API and can change during editing. */
export const useDraft = (workflow: DrawnWorkflow): Draft => {
  const { id } = workflow
  const server = workflow.draft
  const [history, setHistory] = useState<DraftHistory>(
    () => readStored(id) ?? { present: server, base: server, past: [], future: [] },
  )
  const isChanged = !isEqual(history.present, history.base)
  const isServerChanged = !isEqual(history.base, server)

  // Without own changes, or with equal changes, the editor takes over the new version.
  useEffect(() => {
    if (!isServerChanged) return
    if (!isChanged || isEqual(history.present, server))
      setHistory(previous => ({ ...previous, present: server, base: server, past: [], future: [] }))
  }, [isServerChanged, isChanged, server, history.present])

  useEffect(() => {
    if (isChanged)
      sessionStorage.setItem(storageKey(id), JSON.stringify({ present: history.present, base: history.base }))
    else sessionStorage.removeItem(storageKey(id))
  }, [id, isChanged, history])

  const change = useCallback(
    (to: Definition) =>
      setHistory(({ present, base, past }) =>
        isEqual(present, to)
          ? { present: to, base, past, future: [] }
          : { present: to, base, past: [...past, present].slice(-maxPast), future: [] },
      ),
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
            setHistory(({ present, base, past, future }) => ({
              present: past.at(-1) ?? present,
              base,
              past: past.slice(0, -1),
              future: [present, ...future],
            })),
    redo:
      future.length === 0
        ? null
        : () =>
            setHistory(({ present, base, past, future }) => ({
              present: future[0] ?? present,
              base,
              past: [...past, present],
              future: future.slice(1),
            })),
    markSaved: markSaved => setHistory(previous => ({ ...previous, base: markSaved })),
    acceptTheirs: () =>
      setHistory(({ present, past }) => ({ present: server, base: server, past: [...past, present], future: [] })),
    overwriteTheirs: () => setHistory(previous => ({ ...previous, base: server })),
    discard: () =>
      setHistory(({ present, past }) => ({ present: server, base: server, past: [...past, present], future: [] })),
  }
}
