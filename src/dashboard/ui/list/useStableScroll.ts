import { type RefObject, useEffect, useRef } from 'react'

/** Keeps the same row at the top of the view when the row height changes. */
export const useStableScroll = (
  list: { measure: () => void },
  scroller: RefObject<HTMLElement | null>,
  height: number,
): void => {
  const previousHeight = useRef(height)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row height is what changes the measurements.
  useEffect(() => {
    list.measure()
    if (scroller.current) scroller.current.scrollTop *= height / previousHeight.current
    previousHeight.current = height
  }, [height])
}
