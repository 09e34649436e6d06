import { type ComponentType, useCallback, useEffect, useState } from 'react'
import { loadTexts } from '../texts/index.tsx'

/**
 * What comes up over a page, once it is loaded: as soon as the page at `pathname` has left the browser time for it, or
 * somebody opens the search. What could not be loaded is tried again on the next page.
 */
export const useOverlays = (pathname: string): { Overlays: ComponentType | null; openSearch: () => void } => {
  const [Overlays, setOverlays] = useState<ComponentType | null>(null)
  const load = useCallback(async () => {
    const loaded = await import('./Overlays.tsx')
    setOverlays(() => loaded.Overlays)
    return loaded
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page tries again.
  useEffect(() => {
    if (Overlays) return
    return whenIdle(() => void Promise.all([load(), loadTexts()]).catch(() => {}))
  }, [Overlays, load, pathname])
  const openSearch = useCallback(
    () =>
      void load().then(
        ({ openSpotlight }) => openSpotlight(),
        () => {},
      ),
    [load],
  )
  return { Overlays, openSearch }
}

/** Not every browser says when it has time. */
const whenIdle = (work: () => void): (() => void) => {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, 500)
    return () => clearTimeout(timer)
  }
  const waiting = requestIdleCallback(work, { timeout: 5_000 })
  return () => cancelIdleCallback(waiting)
}
