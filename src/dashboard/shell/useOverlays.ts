import { useRouter } from '@tanstack/react-router'
import { type ComponentType, useCallback, useEffect, useState } from 'react'
import { loadTexts } from '../texts/index.tsx'
import { whenIdle } from '../ui/whenIdle.ts'
import { navigation } from './navigation.ts'

/** Where most people go from the first page: with these comes what all lists are drawn with. */
const next = navigation.flatMap(({ places }) => places).filter(({ phone }) => phone)

/**
 * What comes up over a page, once it is loaded: as soon as the page at `pathname` has left the browser time for it, or
 * somebody opens the search. What could not be loaded is tried again on the next page. The pages that most go to next are
 * loaded along.
 */
export const useOverlays = (pathname: string): { Overlays: ComponentType | null; openSearch: () => void } => {
  const router = useRouter()
  const [Overlays, setOverlays] = useState<ComponentType | null>(null)
  const load = useCallback(async () => {
    const loaded = await import('./Overlays.tsx')
    setOverlays(() => loaded.Overlays)
    return loaded
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page tries again.
  useEffect(() => {
    if (Overlays) return
    return whenIdle(() => {
      void Promise.all([load(), loadTexts()]).catch(() => {})
      for (const { to } of next) void router.loadRouteChunk(router.routesByPath[to as '/'])
    })
  }, [Overlays, load, pathname, router])
  const openSearch = useCallback(
    () =>
      void load().then(
        ({ openSearch }) => openSearch(),
        () => {},
      ),
    [load],
  )
  return { Overlays, openSearch }
}
