import { Anchor, Text, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { ChevronRightIcon } from '../../ui/icons.ts'
import { Status } from '../../ui/Status.tsx'
import { tones } from '../../ui/tones.ts'
import { getHost } from './host.ts'
import styles from './outbound.module.css'

type Destination = Schemas['Destination']

/** Maximum number of endpoints without a delivery that are shown below the deliveries. More are folded. */
const maxSkipped = 2

/** All endpoints at the time of the event: the delivery to each, or why it was not sent. */
export const Destinations = ({ event }: { event: Schemas['OutboundEventDetail'] }) => {
  const t = useTranslate()
  const [isOpen, setIsOpen] = useState(false)
  const sent = event.destinations.filter(({ reason }) => reason === null)
  const skipped = event.destinations.filter(({ reason }) => reason !== null)
  if (event.destinations.length === 0) return <Text size="sm">{t('outbound.noDestinations')}</Text>
  const isFoldable = sent.length > 0 && skipped.length > maxSkipped
  const toRow = (destination: Destination) => (
    <li key={destination.webhookId}>
      <Endpoint destination={destination} />
      <Outcome destination={destination} type={event.type} />
    </li>
  )
  return (
    <ul className={styles.destinations}>
      {sent.map(toRow)}
      {isFoldable && (
        <li>
          <UnstyledButton className={styles.skipped} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            <ChevronRightIcon width={14} aria-hidden="true" />
            {t('outbound.notSentToCount', { count: skipped.length })}
          </UnstyledButton>
        </li>
      )}
      {(isOpen || !isFoldable) && skipped.map(toRow)}
    </ul>
  )
}

/** Endpoint with its name, or its host if it has no name. */
const Endpoint = ({ destination: { webhookId, url, reason } }: { destination: Destination }) => {
  const { data } = hooks.useQuery('get', '/v1/webhooks', {}, { staleTime: 60_000 })
  const name = data?.data.find(({ id }) => id === webhookId)?.name || getHost(url)
  return reason === 'deleted' ? (
    <bdi title={url}>{getHost(url)}</bdi>
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

const Outcome = ({
  destination: { webhookId, deliveryId, status, reason },
  type,
}: {
  destination: Destination
  type: string
}) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  if (reason !== null) {
    return (
      <Text span size="sm" c="dimmed">
        {t('outbound.notSent', { reason: t(`outbound.reason.${reason}`, { type }) })}
      </Text>
    )
  }
  return (
    <span className={styles.outcome}>
      <Status tone={status ? tones.delivery[status] : 'off'}>{t(`outbound.status.${status ?? 'none'}`)}</Status>
      {status === 'dropped' && (
        <Text span size="sm" c="dimmed">
          {t('outbound.dropped')}
        </Text>
      )}
      {isOwner && deliveryId !== null && status !== null && status !== 'dropped' && (
        <Anchor
          size="sm"
          renderRoot={(props: object) => (
            <Link {...props} to="/webhooks/$id/deliveries/$deliveryId" params={{ id: webhookId, deliveryId }} />
          )}
        >
          {t('outbound.delivery')}
        </Anchor>
      )}
    </span>
  )
}
