/** The stream for components. */
import { type Query, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { Failure } from './client.ts'
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

/** How soon to look whether anybody answers again, and how seldom at most. */
const firstLookMs = 3_000
const longestLookMs = 30_000
const lookPatienceMs = 5_000

/**
 * What could not be answered is asked for anew: once the stream is back, and where the page listens to none, once anybody
 * answers again. That is looked for by a call of its own, so that the page says what it says until then.
 */
export const useReturn = (): void => {
  const queries = useQueryClient()
  useEffect(
    () =>
      watchState(() => {
        if (liveState() === 'open')
          void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
      }),
    [queries],
  )
  useEffect(() => {
    const cache = queries.getQueryCache()
    const waiting = { type: 'active', predicate: isUnanswered } as const
    let timer: ReturnType<typeof setTimeout> | undefined
    let pauseMs = firstLookMs
    const lookLater = () => {
      timer ??= setTimeout(() => void look(), pauseMs)
    }
    const look = async () => {
      const isAnswered = cache.findAll(waiting).length > 0 && (await doesAnybodyAnswer())
      timer = undefined
      pauseMs = Math.min(pauseMs * 2, longestLookMs)
      if (isAnswered) await queries.refetchQueries(waiting)
      if (cache.findAll(waiting).length > 0) lookLater()
      else pauseMs = firstLookMs
    }
    const stop = cache.subscribe(({ type, query }) => {
      if (type === 'updated' && isUnanswered(query)) lookLater()
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [queries])
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

const isUnanswered = ({ state: { status, error } }: Query): boolean =>
  status === 'error' && error instanceof Failure && [0, 502, 504].includes(error.status)

const doesAnybodyAnswer = (): Promise<boolean> =>
  fetch('/v1/auth/session', { signal: AbortSignal.timeout(lookPatienceMs) }).then(
    ({ status }) => status < 500,
    () => false,
  )

/** How soon to ask anew by ourselves where somebody looks and waits while the stream is interrupted. */
const unheardEveryMs = 5_000

/** For `refetchInterval` of what is waited for: nothing while the stream tells of it. */
export const useUnheard = (everyMs = unheardEveryMs): number | false => (useLiveState() === 'open' ? false : everyMs)
