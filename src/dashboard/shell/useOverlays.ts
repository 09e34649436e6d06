import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ComponentType, useCallback, useEffect, useState } from 'react'
import { whenIdle } from '../ui/hooks/whenIdle.ts'
import { collectEarlyKeys, takeEarlyKeys } from './early-keys.ts'
import { loadLater } from './loadLater.ts'
import { navigationPages } from './navigation.ts'

/** Pages of the bottom bar, which most people open next. Loading them also loads the shared code of the lists. */
const phonePages = navigationPages().filter(({ phone }) => phone)

/**
 * Loads the overlays once the browser is idle after the page at `pathname` and its data are shown, or when the search is opened. A
 * failed load is tried again on the next page. The pages that are usually opened next are preloaded too.
 */
export const useOverlays = (pathname: string): { Overlays: ComponentType | null; openSearch: () => void } => {
  const router = useRouter()
  const [Overlays, setOverlays] = useState<ComponentType | null>(null)
  const load = useCallback(async () => {
    // The overlays need texts and styles that are loaded later.
    const [overlays] = await Promise.all([import('./Overlays.tsx'), loadLater()])
    setOverlays(() => overlays.Overlays)
    return overlays
  }, [])
  const isFirstViewComplete = useHasFetched()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page change tries again.
  useEffect(() => {
    if (Overlays || !isFirstViewComplete) return
    return whenIdle(() => {
      void load().catch(() => {})
      for (const { to } of phonePages) void router.loadRouteChunk(router.routesByPath[to])
    })
  }, [Overlays, isFirstViewComplete, load, pathname, router])
  const openSearch = useCallback(() => {
    collectEarlyKeys()
    void load().then(({ openSearch }) => openSearch(), takeEarlyKeys)
  }, [load])
  return { Overlays, openSearch }
}

/** Time in milliseconds to show the first page before anything else is loaded. */
const firstPaintMs = 300

/** Returns true once the requests of the first page were answered and shown, so that nothing else delays them. */
const useHasFetched = (): boolean => {
  const queries = useQueryClient()
  const [hasFetched, setHasFetched] = useState(false)
  useEffect(() => {
    if (hasFetched) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const check = () => {
      clearTimeout(timer)
      if (queries.isFetching() === 0) timer = setTimeout(() => setHasFetched(true), firstPaintMs)
    }
    check()
    const unsubscribe = queries.getQueryCache().subscribe(check)
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [queries, hasFetched])
  return hasFetched
}
