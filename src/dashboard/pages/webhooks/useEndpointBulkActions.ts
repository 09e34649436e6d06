import { api } from '../../api/client.ts'
import { type TextId, useTranslate } from '../../texts/index.tsx'
import type { BulkAction } from '../../ui/list/BulkActions.tsx'
import { endpointName } from './delivery-status.tsx'
import type { EndpointRow } from './endpoint-columns.tsx'

const operations = ['pause', 'resume', 'turnOn', 'turnOff'] as const
type BulkOperation = (typeof operations)[number]

type Webhook = EndpointRow['webhook']

const send: Record<BulkOperation, (id: string) => Promise<unknown>> = {
  pause: id => api.POST('/v1/webhooks/{id}/hold', { params: { path: { id } } }),
  resume: id => api.POST('/v1/webhooks/{id}/release', { params: { path: { id } } }),
  turnOn: id => api.PATCH('/v1/webhooks/{id}', { params: { path: { id } }, body: { enabled: true } }),
  turnOff: id => api.PATCH('/v1/webhooks/{id}', { params: { path: { id } }, body: { enabled: false } }),
}

/** Returns the text that says why an operation does not apply. Null if it does. */
const skipText = (operation: BulkOperation, { enabled, heldAt }: Webhook): TextId | null => {
  if (operation === 'turnOn') return enabled ? 'webhooks.bulk.isOn' : null
  if (!enabled) return 'webhooks.bulk.isOff'
  if (operation === 'pause') return heldAt ? 'webhooks.bulk.isPaused' : null
  return operation === 'resume' && !heldAt ? 'webhooks.bulk.isRunning' : null
}

/** Returns the actions on the selected endpoints. */
export const useEndpointBulkActions = () => {
  const t = useTranslate()
  return (rows: EndpointRow[]): BulkAction[] =>
    operations.map(operation => ({
      key: operation,
      label: t(`webhooks.bulk.${operation}`),
      reason: rows.every(({ webhook }) => skipText(operation, webhook) !== null)
        ? t(`webhooks.bulk.${operation}None`)
        : null,
      title: t(`webhooks.bulk.${operation}Title`),
      text: t(`webhooks.bulk.${operation}Text`, {
        waiting: rows.reduce((sum, { health }) => sum + (health?.waiting ?? 0), 0),
      }),
      confirm: count => t(`webhooks.bulk.${operation}Do`, { count }),
      items: rows.map(({ webhook }) => {
        const skip = skipText(operation, webhook)
        return { id: webhook.id, label: endpointName(webhook), skip: skip ? t(skip) : undefined }
      }),
      send: send[operation],
      changes: path => path.startsWith('/v1/webhooks'),
    }))
}
