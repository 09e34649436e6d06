import { useRouter } from '@tanstack/react-router'
import { type ComponentType, useCallback, useEffect, useState } from 'react'
import { loadTexts } from '../texts/index.tsx'
import { whenIdle } from '../ui/hooks/whenIdle.ts'
import { navigation } from './navigation.ts'

/** Pages of the bottom bar, which most people open next. Loading them also loads the shared code of the lists. */
const phonePages = navigation.flatMap(({ items: places }) => places).filter(({ phone }) => phone)

/**
 * Loads the overlays once the browser is idle after the page at `pathname` is shown, or when the search is opened. A
 * failed load is tried again on the next page. The pages that are usually opened next are preloaded too.
 */
export const useOverlays = (pathname: string): { Overlays: ComponentType | null; openSearch: () => void } => {
  const router = useRouter()
  const [Overlays, setOverlays] = useState<ComponentType | null>(null)
  const load = useCallback(async () => {
    const overlays = await import('./Overlays.tsx')
    setOverlays(() => overlays.Overlays)
    return overlays
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page change tries again.
  useEffect(() => {
    if (Overlays) return
    return whenIdle(() => {
      void Promise.all([load(), loadTexts()]).catch(() => {})
      for (const { to } of phonePages) void router.loadRouteChunk(router.routesByPath[to as '/'])
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
