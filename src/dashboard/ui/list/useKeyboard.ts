/** Keys of a list. */
import { useHotkeys } from '@mantine/hooks'
import { useState } from 'react'

/** Moves the current row by j and k, opens it by Enter, and selects it by x. */
export const useKeyboard = <Row>({
  rows,
  getId,
  selected,
  open,
  scrollTo,
  toggle,
}: {
  rows: Row[] | undefined
  getId: (row: Row) => string
  selected: string | undefined
  open: ((row: Row) => void) | undefined
  scrollTo: (index: number) => void
  toggle: ((row: Row) => void) | undefined
}) => {
  const [current, setCurrent] = useState(0)
  const [isKeyboardUsed, setIsKeyboardUsed] = useState(false)
  const move = (by: number) => {
    if (!rows || rows.length === 0) return
    const index = selected === undefined ? current : rows.findIndex(row => getId(row) === selected)
    // The open record may have left the list. The next record is now at its position.
    const from = index === -1 ? Math.max(by > 0 ? current - 1 : current, -1) : index
    const next = Math.min(Math.max(from + by, 0), rows.length - 1)
    setCurrent(next)
    setIsKeyboardUsed(true)
    scrollTo(next)
    const row = rows[next]
    if (selected !== undefined && row !== undefined) open?.(row)
  }
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
    ['x', () => rows?.[current] !== undefined && toggle?.(rows[current])],
  ])
  useHotkeys(
    [['Enter', () => rows?.[current] !== undefined && selected === undefined && open?.(rows[current])]],
    // These elements handle Enter themselves.
    ['INPUT', 'TEXTAREA', 'SELECT', 'BUTTON', 'A'],
  )
  return { current, setCurrent, isKeyboardUsed }
}
