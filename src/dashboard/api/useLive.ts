/** React hooks for the live feed. */
import { type Query, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { Failure } from './client.ts'
import type { paths } from './generated.ts'
import { type LiveKind, type LiveState, listen, liveState, type News, watchState } from './live.ts'

/** Minimum time between two refreshes, however many messages arrive. */
const atMostEveryMs = 1_000

/** Calls `told` for each message of these kinds while the component is mounted. */
export const useLive = (kinds: readonly LiveKind[], told: (news: News) => void): void => {
  const current = useRef(told)
  current.current = told
  const key = kinds.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: compares the kinds, not the array identity.
  useEffect(() => (kinds.length > 0 ? listen(kinds, news => current.current(news)) : undefined), [key])
}

/** Refetches the responses of these paths when a message of one of the kinds arrives and `matters` returns true. */
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

/** Throttles `work`: runs it immediately, then at most once per second. The last call is never dropped. */
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

/** First and longest delay between checks whether the server answers again. */
const firstLookMs = 3_000
const longestLookMs = 30_000
const lookPatienceMs = 5_000

/**
 * Refetches failed queries once the stream is open again. Queries without a response are also refetched once the server
 * answers a probe, because some pages use no stream. With a separate probe request, the page keeps its error message
 * until then.
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

/** Runs `work` each time the stream opens, to catch up on changes from before it opened or while it was lost. */
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

/** Polling interval in milliseconds while the stream is interrupted. */
const unheardEveryMs = 5_000

/** Value for `refetchInterval`: off while the stream is open, otherwise the polling interval. */
export const useUnheard = (everyMs = unheardEveryMs): number | false => (useLiveState() === 'open' ? false : everyMs)
