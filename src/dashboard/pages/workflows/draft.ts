/** Unsaved changes of a workflow, kept in the tab with undo and redo. It detects concurrent saves by other people. */
import { useCallback, useEffect, useState } from 'react'
import { parseJson } from '../../api/json.ts'
import { keptAs } from '../../ui/draft.ts'
import { isDrawable, same } from './definition/edit.ts'
import type { Definition, DrawnWorkflow } from './definition/types.ts'

const maxPast = 100

interface Kept {
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
  changed: boolean
  /** Definition that another person has saved since the changes began, or null. */
  theirs: Definition | null
  change: (to: Definition) => void
  undo: (() => void) | null
  redo: (() => void) | null
  /** Marks the definition as saved. */
  saved: (saved: Definition) => void
  /** Replaces the draft with the other person's version. Undo restores the own one. */
  takeTheirs: () => void
  /** Keeps the own draft. Saving it then replaces the other version. */
  keepMine: () => void
  /** Returns to the saved definition. */
  discard: () => void
}

const keyOf = (id: string) => keptAs(`workflow/${id}`)

const read = (id: string): Kept | null => {
  try {
    const kept: Partial<Kept> = parseJson(sessionStorage.getItem(keyOf(id)) ?? 'null') ?? {}
    return isDrawable(kept.present) && isDrawable(kept.base)
      ? { present: kept.present, base: kept.base, past: [], future: [] }
      : null
  } catch {
    return null
  }
}

/** `workflow` is the current response of the API and can change during editing. */
export const useDraft = (workflow: DrawnWorkflow): Draft => {
  const { id } = workflow
  const server = workflow.draft
  const [kept, setKept] = useState<Kept>(() => read(id) ?? { present: server, base: server, past: [], future: [] })
  const changed = !same(kept.present, kept.base)
  const moved = !same(kept.base, server)

  // Without own changes, or with equal changes, the editor takes over the new version.
  useEffect(() => {
    if (!moved) return
    if (!changed || same(kept.present, server))
      setKept(before => ({ ...before, present: server, base: server, past: [], future: [] }))
  }, [moved, changed, server, kept.present])

  useEffect(() => {
    if (changed) sessionStorage.setItem(keyOf(id), JSON.stringify({ present: kept.present, base: kept.base }))
    else sessionStorage.removeItem(keyOf(id))
  }, [id, changed, kept])

  const change = useCallback(
    (to: Definition) =>
      setKept(({ present, base, past }) =>
        same(present, to)
          ? { present: to, base, past, future: [] }
          : { present: to, base, past: [...past, present].slice(-maxPast), future: [] },
      ),
    [],
  )
  const { past, future } = kept
  return {
    definition: kept.present,
    changed,
    theirs: moved && changed ? server : null,
    change,
    undo:
      past.length === 0
        ? null
        : () =>
            setKept(({ present, base, past, future }) => ({
              present: past.at(-1) ?? present,
              base,
              past: past.slice(0, -1),
              future: [present, ...future],
            })),
    redo:
      future.length === 0
        ? null
        : () =>
            setKept(({ present, base, past, future }) => ({
              present: future[0] ?? present,
              base,
              past: [...past, present],
              future: future.slice(1),
            })),
    saved: saved => setKept(before => ({ ...before, base: saved })),
    takeTheirs: () =>
      setKept(({ present, past }) => ({ present: server, base: server, past: [...past, present], future: [] })),
    keepMine: () => setKept(before => ({ ...before, base: server })),
    discard: () =>
      setKept(({ present, past }) => ({ present: server, base: server, past: [...past, present], future: [] })),
  }
}
