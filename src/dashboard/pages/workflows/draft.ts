/** What somebody changes and has not saved: kept in the tab, with the way back, and beside what others save meanwhile. */
import { useCallback, useEffect, useState } from 'react'
import { parseJson } from '../../api/json.ts'
import { keptAs } from '../../ui/draft.ts'
import { isDrawable, same } from './definition/edit.ts'
import type { Definition, DrawnWorkflow } from './definition/types.ts'

const maxPast = 100

interface Kept {
  /** As it stands in the editor. */
  present: Definition
  /** What the interface had when the changes were begun. */
  base: Definition
  past: Definition[]
  future: Definition[]
}

export interface Draft {
  definition: Definition
  /** Differs from what is saved. */
  changed: boolean
  /** What somebody else saved since the changes were begun; null where nobody did. */
  theirs: Definition | null
  change: (to: Definition) => void
  undo: (() => void) | null
  redo: (() => void) | null
  /** After it was saved as `saved`. */
  saved: (saved: Definition) => void
  /** Goes on by what somebody else saved; one's own stays on the way back. */
  takeTheirs: () => void
  /** Goes on by one's own: saving it replaces theirs. */
  keepMine: () => void
  /** Back to what is saved. */
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

/** `workflow` is what the interface says now; it may change under the editor. */
export const useDraft = (workflow: DrawnWorkflow): Draft => {
  const { id } = workflow
  const server = workflow.draft
  const [kept, setKept] = useState<Kept>(() => read(id) ?? { present: server, base: server, past: [], future: [] })
  const changed = !same(kept.present, kept.base)
  const moved = !same(kept.base, server)

  // Whoever has changed nothing sees what there is. So does whoever arrived at the same.
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
