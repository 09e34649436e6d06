import { useEffect, useState } from 'react'

const maxWaitMs = 5_000

/** Runs `callback` once the browser is idle. Uses a timer in browsers without `requestIdleCallback`. */
export const whenIdle = (callback: () => void, withinMs = maxWaitMs): (() => void) => {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(callback, Math.min(withinMs, 500))
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(callback, { timeout: withinMs })
  return () => cancelIdleCallback(handle)
}

/**
 * Returns true once the browser was idle after `isEnabled`. Used for secondary content, which renders after the main
 * content.
 */
export const useWhenIdle = (isEnabled = true): boolean => {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => (isEnabled ? whenIdle(() => setIsIdle(true), 300) : undefined), [isEnabled])
  return isIdle
}
