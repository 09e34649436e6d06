import { useEffect, useState } from 'react'

const longestWaitMs = 5_000

/** Once the browser has time left. Not every browser says when. */
export const whenIdle = (work: () => void, withinMs = longestWaitMs): (() => void) => {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, Math.min(withinMs, 500))
    return () => clearTimeout(timer)
  }
  const waiting = requestIdleCallback(work, { timeout: withinMs })
  return () => cancelIdleCallback(waiting)
}

/** For what nobody came for, and is drawn after what they did: whether the browser has had time since it was `wanted`. */
export const useWhenIdle = (wanted = true): boolean => {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => (wanted ? whenIdle(() => setIsIdle(true), 300) : undefined), [wanted])
  return isIdle
}
