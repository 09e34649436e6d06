import type { Schemas } from '../../api/client.ts'
import { Status } from '../../ui/Status.tsx'
import { useAbout } from './told.ts'

/** Short summary of an outbound event. A message status also gets its color. */
export const About = ({ event }: { event: Schemas['OutboundEvent'] }) => {
  const text = useAbout()(event)
  if (event.type !== 'message.status' || text === null) return <bdi>{text}</bdi>
  return <Status tone={event.data.status === 'failed' ? 'failed' : 'done'}>{text}</Status>
}
