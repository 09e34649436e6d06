import type { Schemas } from '../../api/client.ts'
import { Status } from '../../ui/Status.tsx'
import { useSummary } from './useSummary.ts'

/** Short summary of an outbound event. A message status also gets its color. */
export const EventSummary = ({ event }: { event: Schemas['OutboundEvent'] }) => {
  const text = useSummary()(event)
  if (event.type !== 'message.status' || text === null) return <bdi>{text}</bdi>
  return <Status tone={event.data.status === 'failed' ? 'failed' : 'done'}>{text}</Status>
}
