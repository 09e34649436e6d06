/** Live updates of a list. */
import { type RefObject, useState } from 'react'
import type { LiveKind, LiveMessage } from '../../api/live.ts'
import { useLive, useThrottled } from '../../api/useLive.ts'

/** Live updates. New rows appear at the top, or are counted in a bar once the reader has scrolled. */
export interface Live {
  kinds: readonly LiveKind[]
  /** Kinds of records that change rows and add none. They also refetch a scrolled list without new rows. */
  changes?: readonly LiveKind[]
  /** Refetches the rows. */
  refresh: () => void
  /** Returns true if the list would show the record. Defaults to all records of its kinds. */
  isRelevant?: (message: LiveMessage) => boolean
}

/**
 * Refetches the rows while the reader is at the top, and counts new rows otherwise. Oldest first, new rows are never at
 * the top, so nothing is counted.
 */
export const useLiveRows = (
  live: Live | undefined,
  scroller: RefObject<HTMLElement | null>,
  rowHeight: number,
  isOldestFirst: boolean,
) => {
  const [newCount, setNewCount] = useState(0)
  const refresh = useThrottled(() => {
    setNewCount(0)
    live?.refresh()
  })
  // Has a throttle of its own, because new rows can arrive while it waits. Changes are then fetched with them.
  const refreshChanges = useThrottled(() => {
    if (newCount === 0) live?.refresh()
  })
  useLive([...(live?.kinds ?? []), ...(live?.changes ?? [])], message => {
    if (live?.isRelevant && message.id !== '' && !live.isRelevant(message)) return
    const isScrolled = !isOldestFirst && (scroller.current?.scrollTop ?? 0) > rowHeight
    if (!isScrolled) refresh()
    else if (live?.changes?.includes(message.kind)) refreshChanges()
    // New rows would move the others, so they are fetched at the top.
    else setNewCount(count => count + 1)
  })
  return { newCount, refresh }
}
