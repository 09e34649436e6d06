import type { Schemas } from '../../api/client.ts'
import { useSummary } from './useSummary.ts'

/** Short summary of an outbound event. It has no color, so that only the delivery has a status. */
export const EventSummary = ({ event }: { event: Schemas['OutboundEvent'] }) => {
  const text = useSummary()(event)
  return <bdi>{text}</bdi>
}
