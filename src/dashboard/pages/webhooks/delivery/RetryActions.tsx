import { Button } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { ArrowPathIcon } from '../../../ui/page-icons.ts'
import { useNotify } from '../../../ui/useNotify.tsx'
import type { BlockReason } from '../delivery-status.tsx'
import { useRefresh } from '../refresh.ts'

type Detail = Schemas['DeliveryDetail']

const route = getRouteApi('/signed/webhooks/$id')

/** Button that retries a failed or waiting delivery, or sends the event of a delivered one as a new delivery. */
export const RetryActions = ({
  webhookId,
  delivery,
  blockReason,
}: {
  webhookId: string
  delivery: Detail
  blockReason: BlockReason
}) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const search = route.useSearch()
  const refresh = useRefresh()
  const notify = useNotify()
  const retry = hooks.useMutation('post', '/v1/webhooks/{id}/deliveries/{deliveryId}/retry')
  const send = hooks.useMutation('post', '/v1/outbound-events/{id}/send')
  const retryNow = async () => {
    await retry.mutateAsync({ params: { path: { id: webhookId, deliveryId: delivery.id } } })
    refresh()
    if (blockReason) notify(t(`webhooks.retryQueued.${blockReason}`))
  }
  const sendAgain = async () => {
    const created = await send.mutateAsync({ params: { path: { id: delivery.eventId } }, body: { webhookId } })
    refresh()
    await navigate({
      to: '/webhooks/$id/deliveries/$deliveryId',
      params: { id: webhookId, deliveryId: created.id },
      search,
    })
  }
  const reportError = (promise: Promise<unknown>) => void promise.catch(notify.error)
  return (
    <>
      {canRetry(delivery) && (
        <Button
          leftSection={<ArrowPathIcon width={16} />}
          loading={retry.isPending}
          onClick={() => reportError(retryNow())}
        >
          {t('webhooks.retry')}
        </Button>
      )}
      {delivery.status === 'delivered' && (
        <Button variant="default" loading={send.isPending} onClick={() => reportError(sendAgain())}>
          {t('webhooks.sendAgain')}
        </Button>
      )}
    </>
  )
}

/** Returns true if a retry makes sense. An attempt that is already due needs no retry. */
const canRetry = ({ status, nextAttemptAt }: Detail): boolean =>
  status === 'failed' || (status === 'retrying' && nextAttemptAt !== null && Date.parse(nextAttemptAt) > Date.now())
