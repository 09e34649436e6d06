import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Status, type Tone } from '../../ui/Status.tsx'
import { hostOf } from './host.ts'
import styles from './outbound.module.css'

type Destination = Schemas['Destination']

const toneOf: Record<NonNullable<Destination['status']>, Tone> = {
  pending: 'moving',
  retrying: 'care',
  delivered: 'done',
  failed: 'failed',
  dropped: 'off',
}

/** All endpoints at the time of the event: the delivery to each, or why it was skipped. */
export const Destinations = ({ event }: { event: Schemas['OutboundEventDetail'] }) => {
  const say = useTexts()
  if (event.destinations.length === 0) return <Text size="sm">{say('outbound.noDestinations')}</Text>
  return (
    <ul className={styles.destinations}>
      {event.destinations.map(destination => (
        <li key={destination.webhookId}>
          <Endpoint of={destination} />
          <Outcome of={destination} type={event.type} />
        </li>
      ))}
    </ul>
  )
}

/** Endpoint with its name, or its host if it has no name. */
const Endpoint = ({ of: { webhookId, url, reason } }: { of: Destination }) => {
  const { data } = hooks.useQuery('get', '/v1/webhooks', {}, { staleTime: 60_000 })
  const name = data?.data.find(({ id }) => id === webhookId)?.name || hostOf(url)
  return reason === 'deleted' ? (
    <bdi title={url}>{hostOf(url)}</bdi>
  ) : (
    <Anchor
      size="sm"
      title={url}
      renderRoot={(props: object) => <Link {...props} to="/webhooks/$id" params={{ id: webhookId }} />}
    >
      <bdi>{name}</bdi>
    </Anchor>
  )
}

const Outcome = ({ of: { webhookId, deliveryId, status, reason }, type }: { of: Destination; type: string }) => {
  const say = useTexts()
  const owner = useIsOwner()
  if (reason !== null) {
    return (
      <span className={styles.outcome}>
        <Status tone="off">{say('outbound.passed')}</Status>
        <Text span size="sm" c="dimmed">
          {say(`outbound.reason.${reason}`, { type })}
        </Text>
      </span>
    )
  }
  return (
    <span className={styles.outcome}>
      <Status tone={status ? toneOf[status] : 'off'}>{say(`outbound.status.${status ?? 'none'}`)}</Status>
      {status === 'dropped' && (
        <Text span size="sm" c="dimmed">
          {say('outbound.dropped')}
        </Text>
      )}
      {owner && deliveryId !== null && status !== null && status !== 'dropped' && (
        <Anchor
          size="sm"
          renderRoot={(props: object) => (
            <Link {...props} to="/webhooks/$id/deliveries/$deliveryId" params={{ id: webhookId, deliveryId }} />
          )}
        >
          {say('outbound.delivery')}
        </Anchor>
      )}
    </span>
  )
}
