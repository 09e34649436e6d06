import type { Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Status } from '../../ui/Status.tsx'
import { tones } from '../../ui/tones.ts'
import styles from './outbound.module.css'

/** Endpoints that the event was sent to. Among several, those that delay the event are first, with its mark. */
export const SentTo = ({
  event,
  endpointName,
}: {
  event: Schemas['OutboundEvent']
  /** Null if the endpoint was deleted. */
  endpointName: (id: string) => string | null
}) => {
  const t = useTranslate()
  const { fannedOutAt, sentTo, webhookIds, deliveries, passedOver, status } = event
  if (fannedOutAt === null) return null
  if (sentTo === 0) {
    return <span className={styles.quiet}>{t(passedOver > 0 ? 'outbound.noMatch' : 'outbound.noEndpoint')}</span>
  }
  const isDelayed = (status === 'retrying' || status === 'failed') && sentTo > 1
  const delayed = new Set(
    isDelayed ? deliveries.filter(one => one.status === status).map(({ webhookId }) => webhookId) : [],
  )
  const named = webhookIds
    .toSorted((a, b) => Number(delayed.has(b)) - Number(delayed.has(a)))
    .map(id => ({ id, name: endpointName(id) ?? t('outbound.deletedEndpoint') }))
  const others = named.filter(({ id }) => !delayed.has(id)).map(({ name }) => name)
  return (
    <span className={styles.sentTo} title={named.map(({ name }) => name).join(', ')}>
      {named
        .filter(({ id }) => delayed.has(id))
        .map(({ id, name }) => (
          <bdi key={id} className={styles.marked}>
            <Status tone={tones.outboundEvent[status]}>{name}</Status>
          </bdi>
        ))}
      {others.length > 0 && <bdi>{others.join(', ')}</bdi>}
    </span>
  )
}
