/** Keys of a list. */
import { useHotkeys } from '@mantine/hooks'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { panel } from '../hooks/focus.ts'
import { outsideOverlays } from '../hooks/useEscape.ts'

/** `aria-rowindex` of the first row, after the header. */
export const firstRowIndex = 2

/**
 * Moves the current row by j and k, opens it by Enter, and selects it by x, unless a dialog or a menu is open above the
 * page. The current row has the focus, also after its panel was closed.
 */
export const useKeyboard = <Row>({
  rows,
  getId,
  selected,
  open,
  scroller,
  scrollTo,
  toggle,
}: {
  rows: Row[] | undefined
  getId: (row: Row) => string
  selected: string | undefined
  open: ((row: Row) => void) | undefined
  scroller: RefObject<HTMLElement | null>
  scrollTo: (index: number) => void
  toggle: ((row: Row) => void) | undefined
}) => {
  const [current, setCurrent] = useState(0)
  const [isKeyboardUsed, setIsKeyboardUsed] = useState(false)
  const focusRow = (index: number) =>
    scroller.current
      ?.querySelector<HTMLElement>(`[aria-rowindex="${index + firstRowIndex}"]`)
      ?.focus({ preventScroll: true })
  const isLoaded = rows !== undefined
  // An address can open a record whose row is out of view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that are added later must not move the list.
  useEffect(() => {
    const index = selected === undefined ? -1 : (rows?.findIndex(row => getId(row) === selected) ?? -1)
    if (index !== -1) scrollTo(index)
  }, [selected, isLoaded])
  const lastSelected = useRef(selected)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves only when a panel closes.
  useEffect(() => {
    const closed = lastSelected.current
    lastSelected.current = selected
    if (closed === undefined || selected !== undefined) return
    const index = rows?.findIndex(row => getId(row) === closed) ?? -1
    if (index === -1 || isFocusElsewhere(scroller.current)) return
    setCurrent(index)
    focusRow(index)
  }, [selected])
  const openIndex = () => rows?.findIndex(row => getId(row) === selected) ?? -1
  const move = (by: number) => {
    if (!rows || rows.length === 0) return
    const index = selected === undefined ? current : openIndex()
    // The open record may have left the list. The next record is now at its position.
    const from = index === -1 ? Math.max(by > 0 ? current - 1 : current, -1) : index
    const next = Math.min(Math.max(from + by, 0), rows.length - 1)
    setCurrent(next)
    setIsKeyboardUsed(true)
    scrollTo(next)
    const row = rows[next]
    if (selected === undefined) focusRow(next)
    else if (row !== undefined) open?.(row)
  }
  const toggleCurrent = () => {
    // An address can open a record that no key or click made the current row.
    const row = rows?.[openIndex()] ?? rows?.[current]
    if (row !== undefined) toggle?.(row)
  }
  const openCurrent = () => {
    if (rows?.[current] !== undefined && selected === undefined) open?.(rows[current])
  }
  useHotkeys([
    ['j', outsideOverlays(() => move(1))],
    ['k', outsideOverlays(() => move(-1))],
    ['x', outsideOverlays(toggleCurrent)],
  ])
  useHotkeys(
    [['Enter', outsideOverlays(openCurrent)]],
    // These elements handle Enter themselves.
    ['INPUT', 'TEXTAREA', 'SELECT', 'BUTTON', 'A'],
  )
  return { current, setCurrent, isKeyboardUsed }
}

/** Returns true if the person has moved the focus out of the list and its panel. */
const isFocusElsewhere = (list: HTMLElement | null): boolean => {
  const { activeElement } = document
  return !activeElement?.contains(list) && !list?.contains(activeElement) && !activeElement?.closest(panel)
}
