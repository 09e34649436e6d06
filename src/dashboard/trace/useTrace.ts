import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLive } from '../api/useLive.ts'
import { useIsOwner } from '../shell/session.tsx'
import { useNumbers, useTranslate } from '../texts/index.tsx'
import { useMeasured } from '../ui/Time.tsx'
import type { Lane } from './node.ts'
import { loadTraces, type Subject, type Trace } from './traces.ts'
import { toLane } from './tree.ts'

/** Polling interval in milliseconds, used while a recent part of the trace is still in progress. */
const pollIntervalMs = 3_000
const recentMs = 120_000

/** Queries the trace of a record, from the event to the deliveries. Returns its root lane. */
export const useTrace = (subject: Subject) => {
  const t = useTranslate()
  const duration = useMeasured()
  const numbers = useNumbers()
  const isOwner = useIsOwner()
  const queries = useQueryClient()
  const query = useQuery({
    queryKey: ['trace', subject, isOwner],
    queryFn: () => loadTraces(queries, subject, isOwner),
    refetchInterval: ({ state }) => (state.data?.some(isInProgress) ? pollIntervalMs : false),
  })
  useLive(['run'], ({ id }) => {
    if (subject.kind === 'run' && (id === subject.id || id === '')) void query.refetch()
  })
  const lane = useMemo((): Lane | undefined => {
    const money = (amount: string, currency: string) => numbers(Number(amount), { style: 'currency', currency })
    return query.data && toLane(query.data, { t, duration, money, subject, isOwner })
  }, [query.data, t, duration, numbers, subject, isOwner])
  return {
    lane,
    isIncomplete: query.data?.some(trace => trace.isIncomplete) ?? false,
    failure: query.error,
    retry: () => void query.refetch(),
  }
}

const isInProgress = ({ event, run, messageTraces: written, outbound }: Trace): boolean => {
  const lastAt =
    run?.steps.at(-1)?.at ?? event?.createdAt ?? written[0]?.message.createdAt ?? outbound[0]?.event.createdAt
  if (!lastAt || Date.now() - Date.parse(lastAt) > recentMs) return false
  const all = [...outbound, ...written.flatMap(one => one.outbound)]
  return (
    run?.status === 'active' ||
    run?.status === 'waiting' ||
    written.some(({ message }) => message.status === 'queued' || message.status === 'sent') ||
    written.some(one => one.outbound.length === 0 && one.message.status !== 'skipped') ||
    all.some(({ event: { destinations } }) => destinations.some(({ status }) => status === 'pending'))
  )
}
