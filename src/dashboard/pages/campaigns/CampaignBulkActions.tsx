import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { BulkButtons } from '../../ui/list/BulkButtons.tsx'
import { BulkDialog } from '../../ui/list/BulkDialog.tsx'
import { type Campaign, hasStarted } from './status.ts'

const operations = ['cancel', 'remove'] as const
type BulkOperation = (typeof operations)[number]

const run: Record<BulkOperation, (id: string) => Promise<unknown>> = {
  cancel: id => api.POST('/v1/campaigns/{id}/cancel', { params: { path: { id } } }),
  remove: id => api.DELETE('/v1/campaigns/{id}', { params: { path: { id } } }),
}

const canRun: Record<BulkOperation, (campaign: Campaign) => boolean> = {
  cancel: ({ status }) => status === 'scheduled' || status === 'running' || status === 'paused',
  remove: campaign => !hasStarted(campaign),
}

/** Cancels or deletes the selected campaigns. Each action shows a preview first. */
export const CampaignBulkActions = ({ campaigns, onDone }: { campaigns: Campaign[]; onDone: () => void }) => {
  const t = useTranslate()
  const queries = useQueryClient()
  // The rows change while the action runs, so the dialog keeps those of its start.
  const [dialog, setDialog] = useState<{ operation: BulkOperation; campaigns: Campaign[] } | null>(null)
  return (
    <>
      <BulkButtons
        actions={operations.map(operation => ({
          key: operation,
          label: t(`campaigns.bulk.${operation}`),
          reason: campaigns.some(canRun[operation]) ? null : t(`campaigns.bulk.${operation}None`),
          run: () => setDialog({ operation, campaigns }),
        }))}
      />
      {dialog && (
        <BulkDialog
          title={t(`campaigns.bulk.${dialog.operation}Title`)}
          text={t(`campaigns.bulk.${dialog.operation}Text`)}
          action={count => t(`campaigns.bulk.${dialog.operation}Do`, { count })}
          items={dialog.campaigns.map(campaign => ({
            id: campaign.id,
            label: campaign.name,
            ...(!canRun[dialog.operation](campaign) && { skip: t(`campaigns.status.${campaign.status}`) }),
          }))}
          run={run[dialog.operation]}
          onClose={hasRun => {
            setDialog(null)
            if (!hasRun) return
            void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/campaigns' })
            onDone()
          }}
        />
      )}
    </>
  )
}
