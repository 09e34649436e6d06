import { useState } from 'react'
import { api } from '../../api/client.ts'
import { type TextId, useTranslate } from '../../texts/index.tsx'
import { BulkButtons } from '../../ui/list/BulkButtons.tsx'
import { BulkDialog } from '../../ui/list/BulkDialog.tsx'
import { endpointName } from './delivery-status.tsx'
import type { EndpointRow } from './endpoint-columns.tsx'
import { useRefresh } from './refresh.ts'

const operations = ['pause', 'resume', 'turnOn', 'turnOff'] as const
export type BulkOperation = (typeof operations)[number]

type Webhook = EndpointRow['webhook']

const run: Record<BulkOperation, (id: string) => Promise<unknown>> = {
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

/** Actions on the selected endpoints. Each shows a preview first. */
export const EndpointBulkActions = ({ rows, onDone }: { rows: EndpointRow[]; onDone: () => void }) => {
  const t = useTranslate()
  const refresh = useRefresh()
  // The rows change while the action runs, so the dialog keeps those of its start.
  const [dialog, setDialog] = useState<{ operation: BulkOperation; rows: EndpointRow[] } | null>(null)
  return (
    <>
      <BulkButtons
        actions={operations.map(operation => ({
          key: operation,
          label: t(`webhooks.bulk.${operation}`),
          reason: rows.every(({ webhook }) => skipText(operation, webhook) !== null)
            ? t(`webhooks.bulk.${operation}None`)
            : null,
          run: () => setDialog({ operation, rows }),
        }))}
      />
      {dialog && (
        <BulkDialog
          title={t(`webhooks.bulk.${dialog.operation}Title`)}
          text={t(`webhooks.bulk.${dialog.operation}Text`, {
            waiting: dialog.rows.reduce((sum, { health }) => sum + (health?.waiting ?? 0), 0),
          })}
          action={count => t(`webhooks.bulk.${dialog.operation}Do`, { count })}
          items={dialog.rows.map(({ webhook }) => {
            const skip = skipText(dialog.operation, webhook)
            return { id: webhook.id, label: endpointName(webhook), ...(skip && { skip: t(skip) }) }
          })}
          run={run[dialog.operation]}
          onClose={hasRun => {
            setDialog(null)
            if (!hasRun) return
            refresh()
            onDone()
          }}
        />
      )}
    </>
  )
}
