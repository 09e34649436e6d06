import { api } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { BulkDialog } from '../../../ui/list/BulkDialog.tsx'
import { useRefresh } from '../refresh.ts'
import type { DeliveryRow } from './delivery-columns.tsx'

/** Dialog that retries the selected deliveries. Delivered ones, and those that are attempted now, are left out. */
export const RetrySelected = ({
  webhookId,
  rows,
  onClose,
}: {
  webhookId: string
  rows: readonly DeliveryRow[]
  onClose: (hasRun: boolean) => void
}) => {
  const t = useTranslate()
  const refresh = useRefresh()
  const skip = ({ status, nextAttemptAt }: DeliveryRow): string | undefined => {
    if (status === 'delivered') return t('webhooks.bulk.isDelivered')
    const isDue = nextAttemptAt !== null && Date.parse(nextAttemptAt) <= Date.now()
    return status === 'pending' || isDue ? t('webhooks.bulk.isDue') : undefined
  }
  return (
    <BulkDialog
      title={t('webhooks.retrySelected')}
      text={t('webhooks.retrySelectedText')}
      action={count => t('webhooks.retrySelectedDo', { count })}
      items={rows.map(row => ({
        id: row.id,
        label: row.eventType,
        skip: skip(row),
      }))}
      run={deliveryId =>
        api.POST('/v1/webhooks/{id}/deliveries/{deliveryId}/retry', { params: { path: { id: webhookId, deliveryId } } })
      }
      onClose={hasRun => {
        if (hasRun) refresh()
        onClose(hasRun)
      }}
    />
  )
}
