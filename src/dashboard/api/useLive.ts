/** React hooks for the live feed. */
import { type Query, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { Failure } from './client.ts'
import type { paths } from './generated.ts'
import { type LiveKind, type LiveMessage, type LiveState, liveState, subscribe, subscribeState } from './live.ts'

/** Minimum time between two refreshes, however many messages arrive. */
const minRefreshIntervalMs = 1_000

/** Calls `onMessage` for each message of these kinds while the component is mounted. */
export const useLive = (kinds: readonly LiveKind[], onMessage: (message: LiveMessage) => void): void => {
  const current = useRef(onMessage)
  current.current = onMessage
  const key = kinds.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: compares the kinds, not the array identity.
  useEffect(() => (kinds.length > 0 ? subscribe(kinds, message => current.current(message)) : undefined), [key])
}

/** Refetches the responses of these paths when a message of one of the kinds arrives and `isRelevant` returns true. */
export const useLiveRefresh = (
  kinds: readonly LiveKind[],
  queryPaths: readonly (keyof paths)[],
  isRelevant: (message: LiveMessage) => boolean = () => true,
): void => {
  const queries = useQueryClient()
  const refresh = useThrottled(() => {
    for (const path of queryPaths) void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === path })
  })
  useLive(kinds, message => {
    if (message.id === '' || isRelevant(message)) refresh()
  })
}

/** Throttles `callback`: runs it immediately, then at most once per interval. The last call is never dropped. */
export const useThrottled = (callback: () => void, intervalMs = minRefreshIntervalMs): (() => void) => {
  const current = useRef(callback)
  current.current = callback
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const last = useRef(0)
  useEffect(
    () => () => {
      clearTimeout(timer.current ?? undefined)
      // StrictMode mounts again with the same ref.
      timer.current = null
    },
    [],
  )
  return () => {
    if (timer.current !== null) return
    const delayMs = Math.max(0, last.current + intervalMs - Date.now())
    timer.current = setTimeout(() => {
      timer.current = null
      last.current = Date.now()
      current.current()
    }, delayMs)
  }
}

export const useLiveState = (): LiveState => useSyncExternalStore(subscribeState, liveState)

/** First and longest delay between checks whether the server answers again. */
const minProbeIntervalMs = 3_000
const maxProbeIntervalMs = 30_000
const probeTimeoutMs = 5_000

/**
 * Refetches failed queries once the stream is open again. Queries without a response are also refetched once the server
 * answers a probe, because some pages use no stream. With a separate probe request, the page keeps its error message
 * until then.
 */
export const useRefetchOnReconnect = (): void => {
  const queries = useQueryClient()
  useEffect(
    () =>
      subscribeState(() => {
        if (liveState() === 'open')
          void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
      }),
    [queries],
  )
  useEffect(() => {
    const cache = queries.getQueryCache()
    const unansweredFilter = { type: 'active', predicate: hasNoResponse } as const
    let timer: ReturnType<typeof setTimeout> | undefined
    let probeIntervalMs = minProbeIntervalMs
    const scheduleProbe = () => {
      timer ??= setTimeout(() => void probe(), probeIntervalMs)
    }
    const probe = async () => {
      const isReachable = cache.findAll(unansweredFilter).length > 0 && (await isServerReachable())
      timer = undefined
      probeIntervalMs = Math.min(probeIntervalMs * 2, maxProbeIntervalMs)
      if (isReachable) await queries.refetchQueries(unansweredFilter)
      if (cache.findAll(unansweredFilter).length > 0) scheduleProbe()
      else probeIntervalMs = minProbeIntervalMs
    }
    const unsubscribe = cache.subscribe(({ type, query }) => {
      if (type === 'updated' && hasNoResponse(query)) scheduleProbe()
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
    }
  }, [queries])
}

/** Runs `callback` each time the stream opens, to catch up on changes from before it opened or while it was lost. */
export const useOnOpen = (callback: () => void): void => {
  const current = useRef(callback)
  current.current = callback
  const isOpen = useLiveState() === 'open'
  useEffect(() => {
    if (isOpen) current.current()
  }, [isOpen])
}

const hasNoResponse = ({ state: { status, error } }: Query): boolean =>
  status === 'error' && error instanceof Failure && [0, 502, 504].includes(error.status)

const isServerReachable = (): Promise<boolean> =>
  fetch('/v1/auth/session', { signal: AbortSignal.timeout(probeTimeoutMs) }).then(
    ({ status }) => status < 500,
    () => false,
  )

/** Polling interval in milliseconds while the stream is interrupted. */
const fallbackPollMs = 5_000

/** Value for `refetchInterval`: off while the stream is open, otherwise the polling interval. */
export const usePollInterval = (intervalMs = fallbackPollMs): number | false =>
  useLiveState() === 'open' ? false : intervalMs
