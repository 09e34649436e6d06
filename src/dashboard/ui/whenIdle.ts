import { useEffect, useState } from 'react'

const longestWaitMs = 5_000

/** Runs `work` once the browser is idle. Uses a timer in browsers without `requestIdleCallback`. */
export const whenIdle = (work: () => void, withinMs = longestWaitMs): (() => void) => {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, Math.min(withinMs, 500))
    return () => clearTimeout(timer)
  }
  const waiting = requestIdleCallback(work, { timeout: withinMs })
  return () => cancelIdleCallback(waiting)
}

/**
 * Returns true once the browser was idle after `wanted`. Used for secondary content, which renders after the main
 * content.
 */
export const useWhenIdle = (wanted = true): boolean => {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => (wanted ? whenIdle(() => setIsIdle(true), 300) : undefined), [wanted])
  return isIdle
}
