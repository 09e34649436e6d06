import { Skeleton } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks, type Schemas } from '../../../api/client.ts'
import { parseJson } from '../../../api/json.ts'
import { useLiveRefresh } from '../../../api/useLive.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { Trace } from '../../../trace/Trace.tsx'
import { Failure } from '../../../ui/Failure.tsx'
import { usePhone } from '../../../ui/hooks/usePhone.ts'
import { Id } from '../../../ui/Id.tsx'
import { Facts, Panel, PanelLead, PanelTitle, Section } from '../../../ui/Panel.tsx'
import { Time } from '../../../ui/Time.tsx'
import ui from '../../../ui/ui.module.css'
import { CustomerCell } from '../../customers/CustomerCell.tsx'
import { type BlockReason, DeliveryStatus, getBlockReason } from '../delivery-status.tsx'
import { Attempts } from './Attempts.tsx'
import { AttemptResponse, DeliveryRequest } from './Exchange.tsx'
import { RetryActions } from './RetryActions.tsx'

type Detail = Schemas['DeliveryDetail']

const listRoute = getRouteApi('/signed/webhooks/$id')
const route = getRouteApi('/signed/webhooks/$id/deliveries/$deliveryId')

/** The panel polls while the next attempt is due within this time. */
const soonRetryMs = 30_000
const pollIntervalMs = 1_500

/** Side panel of a delivery: every attempt with its request and response. */
export const DeliveryPanel = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const search = listRoute.useSearch()
  const { id, deliveryId } = route.useParams()
  const webhook = hooks.useQuery('get', '/v1/webhooks/{id}', { params: { path: { id } } }).data
  const blockReason = getBlockReason(webhook)
  const query = hooks.useQuery(
    'get',
    '/v1/webhooks/{id}/deliveries/{deliveryId}',
    { params: { path: { id, deliveryId } } },
    {
      refetchInterval: ({ state }) =>
        !blockReason && state.data && isRetriedSoon(state.data as Detail) ? pollIntervalMs : false,
    },
  )
  useLiveRefresh(['delivery'], ['/v1/webhooks/{id}/deliveries/{deliveryId}'], news => news.id === deliveryId)
  const delivery = query.data
  return (
    <Panel
      wide
      title={
        delivery ? (
          <PanelTitle status={<DeliveryStatus status={delivery.status} blockReason={blockReason} />}>
            {delivery.eventType}
          </PanelTitle>
        ) : (
          t('webhooks.delivery')
        )
      }
      actions={delivery && <RetryActions webhookId={id} delivery={delivery} blockReason={blockReason} />}
      onClose={() => void navigate({ to: '/webhooks/$id', params: { id }, search })}
    >
      {query.error && !delivery && (
        <Failure error={query.error} retry={() => void query.refetch()} record={t('webhooks.delivery')} />
      )}
      {query.isPending && <Skeleton height={160} mt="md" />}
      {delivery && (
        <DeliveryDetails
          key={deliveryId}
          webhookId={id}
          url={webhook?.url}
          name={webhook && (webhook.name ?? webhook.url)}
          delivery={delivery}
          blockReason={blockReason}
        />
      )}
    </Panel>
  )
}

/** Returns the customer of the event, if it has one. */
const customerIdOf = ({ request: { body } }: Detail): string | null => {
  const event: unknown = parseJson(body)
  const data: unknown = typeof event === 'object' && event !== null ? Reflect.get(event, 'data') : null
  const id: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'customerId') : null
  return typeof id === 'string' ? id : null
}

const isRetriedSoon = ({ status, nextAttemptAt }: Detail): boolean =>
  status === 'pending' || (nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + soonRetryMs)

const DeliveryDetails = ({
  webhookId,
  url,
  name,
  delivery,
  blockReason,
}: {
  webhookId: string
  url: string | undefined
  /** Name of the endpoint, or its URL without one. Undefined until it is loaded. */
  name: string | undefined
  delivery: Detail
  blockReason: BlockReason
}) => {
  const t = useTranslate()
  const [selectedIndex, setSelectedIndex] = useState<number | null>(null)
  const selectedAttempt = selectedIndex ?? delivery.attemptLog.length - 1
  const customerId = customerIdOf(delivery)
  const isPhone = usePhone()
  // On a phone, the answer stands above the attempts, which can fill the screen.
  const response = <AttemptResponse delivery={delivery} index={selectedAttempt} />
  return (
    <>
      <PanelLead>
        {customerId && (
          <Link to="/customers/$id" params={{ id: customerId }} className={ui.inLink}>
            <CustomerCell id={customerId} />
          </Link>
        )}
        {name !== undefined && (
          <Link to="/webhooks/$id" params={{ id: webhookId }} className={ui.inLink}>
            <bdi>{name}</bdi>
          </Link>
        )}
        <span className={ui.quietCell}>
          <Time at={delivery.createdAt} />
        </span>
        <Link to="/outbound/$id" params={{ id: delivery.eventId }} className={ui.inLink}>
          {t('webhooks.viewEvent')}
        </Link>
      </PanelLead>
      {isPhone && response}
      <Section title={t('webhooks.attempts')}>
        <Attempts
          delivery={delivery}
          blockReason={blockReason}
          selectedAttempt={selectedAttempt}
          onChoose={setSelectedIndex}
        />
      </Section>
      {!isPhone && response}
      <DeliveryRequest webhookId={webhookId} url={url} delivery={delivery} />
      <Section title={t('webhooks.trace')}>
        <Trace delivery={{ id: delivery.id, webhookId }} />
      </Section>
      <Section title={t('webhooks.delivery')}>
        <Facts
          items={{
            [t('webhooks.time')]: <Time at={delivery.createdAt} exact />,
            [t('webhooks.id')]: <Id value={delivery.id} full />,
            [t('webhooks.event')]: <Id value={delivery.eventId} full />,
          }}
        />
      </Section>
    </>
  )
}
