import type { Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Status } from '../../ui/Status.tsx'
import { useNow } from '../../ui/Time.tsx'
import { tones } from '../../ui/tones.ts'

type EventState = Pick<Schemas['OutboundEvent'], 'status' | 'sentTo' | 'createdAt'>

/** Milliseconds after which an event that is not delivered needs attention: the first attempt has failed, or was not made. */
const lateMs = 60_000

/** Status of a webhook event over all its endpoints, in its row and in its panel. */
export const EventStatus = ({ event }: { event: EventState }) => {
  const text = useEventStatusText()
  const now = useNow()
  const isLate = event.status === 'waiting' && now - Date.parse(event.createdAt) > lateMs
  return <Status tone={isLate ? 'care' : tones.outboundEvent[event.status]}>{text(event)}</Status>
}

/** Returns a function that names the status of an event. */
export const useEventStatusText = (): ((event: Pick<EventState, 'status' | 'sentTo'>) => string) => {
  const t = useTranslate()
  return ({ status, sentTo }) =>
    t(status === 'none' && sentTo === 0 ? 'outbound.status.notSent' : `outbound.status.${status}`)
}
