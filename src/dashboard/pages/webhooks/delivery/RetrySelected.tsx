import { api } from '../../../api/client.ts'
import { type TextId, useTranslate } from '../../../texts/index.tsx'
import { BulkDialog } from '../../../ui/list/BulkDialog.tsx'
import { useRefresh } from '../refresh.ts'
import type { DeliveryRow } from './delivery-columns.tsx'

/** Returns the text that says why a retry does not apply to a delivery. Null if it does. */
export const retrySkipText = ({ status, nextAttemptAt }: DeliveryRow): TextId | null => {
  if (status === 'delivered') return 'webhooks.bulk.isDelivered'
  const isDue = nextAttemptAt !== null && Date.parse(nextAttemptAt) <= Date.now()
  return status === 'pending' || isDue ? 'webhooks.bulk.isDue' : null
}

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
  return (
    <BulkDialog
      title={t('webhooks.retrySelected')}
      text={t('webhooks.retrySelectedText')}
      action={count => t('webhooks.retrySelectedDo', { count })}
      items={rows.map(row => {
        const skip = retrySkipText(row)
        return { id: row.id, label: row.eventType, ...(skip && { skip: t(skip) }) }
      })}
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
