import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLive } from '../api/useLive.ts'
import { useIsOwner } from '../shell/session.tsx'
import { useTexts } from '../texts/index.tsx'
import type { Stop } from '../ui/Story.tsx'
import { useDuration } from '../ui/Time.tsx'
import { stopsOf } from './stops.ts'
import { type Subject, type Way, waysOf } from './ways.ts'

/** Polling interval in milliseconds, used while a recent part of the trace is still in progress. */
const askAgainMs = 3_000
const soonMs = 120_000

/** Queries the trace of a record, from the event to the deliveries. Returns one line per run. */
export const useStory = (subject: Subject) => {
  const say = useTexts()
  const duration = useDuration()
  const owner = useIsOwner()
  const queries = useQueryClient()
  const query = useQuery({
    queryKey: ['story', subject, owner],
    queryFn: () => waysOf(queries, subject, owner),
    refetchInterval: ({ state }) => (state.data?.some(isOnItsWay) ? askAgainMs : false),
  })
  useLive(['run'], ({ id }) => {
    if (subject.kind === 'run' && (id === subject.id || id === '')) void query.refetch()
  })
  const lines = useMemo(
    (): Stop[][] | undefined => query.data?.map(way => stopsOf(way, { say, duration, subject, owner })),
    [query.data, say, duration, subject, owner],
  )
  return {
    lines,
    farBack: query.data?.some(way => way.farBack) ?? false,
    failure: query.error,
    retry: () => void query.refetch(),
  }
}

const isOnItsWay = ({ event, run, written, told }: Way): boolean => {
  const last = run?.steps.at(-1)?.at ?? event?.createdAt ?? written[0]?.message.createdAt ?? told[0]?.event.createdAt
  if (!last || Date.now() - Date.parse(last) > soonMs) return false
  const all = [...told, ...written.flatMap(one => one.told)]
  return (
    run?.status === 'active' ||
    run?.status === 'waiting' ||
    written.some(({ message }) => message.status === 'queued' || message.status === 'sent') ||
    written.some(one => one.told.length === 0 && one.message.status !== 'skipped') ||
    all.some(({ event: { destinations } }) => destinations.some(({ status }) => status === 'pending'))
  )
}
