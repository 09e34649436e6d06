import { type RefObject, useEffect, useRef } from 'react'

/** Events before which a scroll is by the person. A change of the layout scrolls too. */
const inputs = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/**
 * Keeps the same row at the top of the view when the row height changes. The row of the open record stays in view when
 * the layout changes, unless the person has scrolled it out of view.
 */
export const useStableScroll = (
  list: { measure: () => void; scrollToIndex: (index: number) => void; scrollRect: { height: number } | null },
  scroller: RefObject<HTMLElement | null>,
  height: number,
  selected: string | undefined,
  indexOf: (id: string) => number,
): void => {
  const previousHeight = useRef(height)
  const isInView = useRef(false)
  const isByPerson = useRef(false)
  const viewHeight = list.scrollRect?.height ?? Number.POSITIVE_INFINITY
  const latest = useRef({ indexOf, height, viewHeight })
  latest.current = { indexOf, height, viewHeight }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row height is what changes the measurements.
  useEffect(() => {
    list.measure()
    if (scroller.current) scroller.current.scrollTop *= height / previousHeight.current
    previousHeight.current = height
  }, [height])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the layout scrolls.
  useEffect(() => {
    isByPerson.current = false
    const index = selected === undefined ? -1 : indexOf(selected)
    if (index !== -1 && isInView.current) list.scrollToIndex(index)
  }, [height, viewHeight])
  useEffect(() => {
    // The next change of the layout scrolls a record that was just opened into view.
    isInView.current = true
    isByPerson.current = false
    const element = scroller.current
    if (!element || selected === undefined) return
    const onInput = () => {
      isByPerson.current = true
    }
    const onScroll = () => {
      if (!isByPerson.current) return
      const { indexOf, height, viewHeight } = latest.current
      const top = indexOf(selected) * height - element.scrollTop
      isInView.current = top > -height && top < viewHeight
    }
    element.addEventListener('scroll', onScroll)
    for (const name of inputs) element.addEventListener(name, onInput, { passive: true })
    return () => {
      element.removeEventListener('scroll', onScroll)
      for (const name of inputs) element.removeEventListener(name, onInput)
    }
  }, [selected, scroller])
}
