import { hooks, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Status } from '../../ui/Status.tsx'
import { tones } from '../../ui/tones.ts'
import styles from './outbound.module.css'

type Event = Schemas['OutboundEvent']

interface Props {
  event: Event
  /** Null if the endpoint was deleted. */
  endpointName: (id: string) => string | null
}

/** Endpoints that the event was sent to. */
export const SentTo = ({ event, endpointName }: Props) => {
  const t = useTranslate()
  const { fannedOutAt, sentTo, passedOver, status } = event
  if (fannedOutAt === null) return null
  if (sentTo === 0) {
    return <span className={styles.quiet}>{t(passedOver > 0 ? 'outbound.noMatch' : 'outbound.noEndpoint')}</span>
  }
  const isDelayed = status === 'retrying' || status === 'failed'
  if (isDelayed && sentTo > 1) return <WithDelayedFirst event={event} endpointName={endpointName} />
  return <Names ids={event.webhookIds} endpointName={endpointName} />
}

/** Time in milliseconds between reads of the deliveries of an event. */
const pollMs = 60_000

/** Endpoints of an event with the status of a single delivery: those with this status are first, and have its mark. */
const WithDelayedFirst = ({ event: { id, webhookIds, status }, endpointName }: Props) => {
  const { data } = hooks.useQuery(
    'get',
    '/v1/outbound-events/{id}',
    { params: { path: { id } } },
    { staleTime: pollMs, refetchInterval: pollMs },
  )
  const delayed = new Set(data?.destinations.filter(one => one.status === status).map(({ webhookId }) => webhookId))
  return (
    <Names
      ids={webhookIds.toSorted((a, b) => Number(delayed.has(b)) - Number(delayed.has(a)))}
      endpointName={endpointName}
      marked={delayed}
      tone={tones.outboundEvent[status]}
    />
  )
}

const Names = ({
  ids,
  endpointName,
  marked = new Set(),
  tone = 'off',
}: {
  ids: readonly string[]
  endpointName: Props['endpointName']
  marked?: ReadonlySet<string>
  tone?: (typeof tones.outboundEvent)[Event['status']]
}) => {
  const t = useTranslate()
  const named = ids.map(id => ({ id, name: endpointName(id) ?? t('outbound.deletedEndpoint') }))
  const others = named.filter(({ id }) => !marked.has(id)).map(({ name }) => name)
  return (
    <span className={styles.sentTo} title={named.map(({ name }) => name).join(', ')}>
      {named
        .filter(({ id }) => marked.has(id))
        .map(({ id, name }) => (
          <bdi key={id} className={styles.marked}>
            <Status tone={tone}>{name}</Status>
          </bdi>
        ))}
      {others.length > 0 && <bdi>{others.join(', ')}</bdi>}
    </span>
  )
}
