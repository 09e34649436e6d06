import { useTranslate } from '../../texts/index.tsx'
import type { Crumb } from '../../ui/Page.tsx'
import { endpointName } from './delivery-status.tsx'

/** Returns the way back to the list, and with an endpoint also to its page. */
export const useWebhookCrumbs = (webhook?: { id: string; name: string | null; url: string }): Crumb[] => {
  const t = useTranslate()
  return [
    { label: t('webhooks.title'), link: { to: '/webhooks' } },
    ...(webhook
      ? [{ label: endpointName(webhook), link: { to: '/webhooks/$id' as const, params: { id: webhook.id } } }]
      : []),
  ]
}
