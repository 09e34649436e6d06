/** The stream for components. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { paths } from './generated.ts'
import { type LiveKind, type LiveState, listen, liveState, type News, watchState } from './live.ts'

/** However much happens, what is shown is asked for anew no more often. */
const atMostEveryMs = 1_000

/** Calls `told` for each line of these kinds while the component is shown. */
export const useLive = (kinds: readonly LiveKind[], told: (news: News) => void): void => {
  const current = useRef(told)
  current.current = told
  const key = kinds.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the kinds by what they are, not by which array they came in.
  useEffect(() => (kinds.length > 0 ? listen(kinds, news => current.current(news)) : undefined), [key])
}

/** Keeps what these paths answered fresh: asks anew when one of the kinds is told of and `matters` does not say no. */
export const useFresh = (
  kinds: readonly LiveKind[],
  of: readonly (keyof paths)[],
  matters: (news: News) => boolean = () => true,
): void => {
  const queries = useQueryClient()
  const refresh = useThrottled(() => {
    for (const path of of) void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === path })
  })
  useLive(kinds, news => {
    if (news.id === '' || matters(news)) refresh()
  })
}

/** At once, and then no more often than once a second, the last call never lost. */
export const useThrottled = (work: () => void): (() => void) => {
  const current = useRef(work)
  current.current = work
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const last = useRef(0)
  useEffect(() => () => clearTimeout(timer.current ?? undefined), [])
  return () => {
    if (timer.current !== null) return
    const wait = Math.max(0, last.current + atMostEveryMs - Date.now())
    timer.current = setTimeout(() => {
      timer.current = null
      last.current = Date.now()
      current.current()
    }, wait)
  }
}

export const useLiveState = (): LiveState => useSyncExternalStore(watchState, liveState)

/** What could not be answered while the stream was interrupted is asked for anew once it is back. */
export const useReturn = (): void => {
  const queries = useQueryClient()
  const isOpen = useLiveState() === 'open'
  useEffect(() => {
    if (isOpen) void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
  }, [isOpen, queries])
}

/** For what is told as it comes and goes: what did so before the stream was open, or while it was lost, is asked for. */
export const useOnOpen = (work: () => void): void => {
  const current = useRef(work)
  current.current = work
  const isOpen = useLiveState() === 'open'
  useEffect(() => {
    if (isOpen) current.current()
  }, [isOpen])
}

/** How soon to ask anew by ourselves where somebody looks and waits while the stream is interrupted. */
const unheardEveryMs = 5_000

/** For `refetchInterval` of what is waited for: nothing while the stream tells of it. */
export const useUnheard = (everyMs = unheardEveryMs): number | false => (useLiveState() === 'open' ? false : everyMs)
