import { api } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import type { BulkAction } from '../../ui/list/BulkActions.tsx'
import { type Campaign, canChange } from './status.ts'

const operations = ['cancel', 'remove'] as const
type BulkOperation = (typeof operations)[number]

const send: Record<BulkOperation, (id: string) => Promise<unknown>> = {
  cancel: id => api.POST('/v1/campaigns/{id}/cancel', { params: { path: { id } } }),
  remove: id => api.DELETE('/v1/campaigns/{id}', { params: { path: { id } } }),
}

const canRun: Record<BulkOperation, (campaign: Campaign) => boolean> = {
  cancel: ({ status }) => status === 'scheduled' || status === 'running' || status === 'paused',
  remove: canChange,
}

/** Returns the actions that cancel or delete the selected campaigns. */
export const useCampaignBulkActions = () => {
  const t = useTranslate()
  return (campaigns: Campaign[]): BulkAction[] =>
    operations.map(operation => ({
      key: operation,
      label: t(`campaigns.bulk.${operation}`),
      reason: campaigns.some(canRun[operation]) ? null : t(`campaigns.bulk.${operation}None`),
      title: t(`campaigns.bulk.${operation}Title`),
      text: t(`campaigns.bulk.${operation}Text`),
      confirm: count => t(`campaigns.bulk.${operation}Do`, { count }),
      ...(operation === 'cancel' && { keep: t('campaigns.bulk.keep') }),
      items: campaigns.map(campaign => ({
        id: campaign.id,
        label: campaign.name,
        skip: canRun[operation](campaign) ? undefined : t(`campaigns.status.${campaign.status}`),
      })),
      send: send[operation],
      changes: path => path === '/v1/campaigns',
    }))
}
