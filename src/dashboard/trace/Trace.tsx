import { Skeleton, Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslate } from '../texts/index.tsx'
import { Failure } from '../ui/Failure.tsx'
import { TraceTree } from './TraceTree.tsx'
import type { Subject } from './traces.ts'
import { useTrace } from './useTrace.ts'

type TraceSubject =
  | { event: string }
  | { run: string }
  | { message: string }
  | { outboundEvent: string }
  | { delivery: { id: string; webhookId: string } }

/**
 * Trace of a record, with links to all related records. Examples: `<Trace event={id} />`, `<Trace delivery={{ id,
 * webhookId }} />`. Used on the page or panel of each kind of record. `rows` is the expected number of nodes, for which room
 * is kept until they are loaded.
 */
export const Trace = ({ rows = 4, ...props }: TraceSubject & { rows?: number }) => {
  const t = useTranslate()
  const key = JSON.stringify(toSubject(props))
  // biome-ignore lint/correctness/useExhaustiveDependencies: compares the content, not the object identity.
  const subject = useMemo(() => toSubject(props), [key])
  const { lane, isIncomplete, failure, retry } = useTrace(subject)
  if (failure && !lane) return <Failure error={failure} retry={retry} />
  if (!lane) return <Skeleton height={rows * rowHeight} aria-hidden />
  return (
    <Stack gap="sm">
      <TraceTree lane={lane} label={t('trace.label', { what: lane[0]?.text ?? '' })} />
      {isIncomplete && (
        <Text size="sm" c="dimmed">
          {t('trace.deliveriesExpired')}
        </Text>
      )}
    </Stack>
  )
}

/** Height of a node in pixels. */
const rowHeight = 29

const toSubject = (props: TraceSubject): Subject => {
  if ('event' in props) return { kind: 'event', id: props.event }
  if ('run' in props) return { kind: 'run', id: props.run }
  if ('message' in props) return { kind: 'message', id: props.message }
  if ('outboundEvent' in props) return { kind: 'outbound_event', id: props.outboundEvent }
  return { kind: 'delivery', ...props.delivery }
}
