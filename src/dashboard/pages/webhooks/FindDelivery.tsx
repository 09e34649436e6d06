import { Skeleton } from '@mantine/core'
import { Navigate, useParams } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Body, Page } from '../../ui/Page.tsx'

/** Redirects to a delivery when only its id is known. The search result also names its endpoint. */
export const FindDelivery = () => {
  const say = useTexts()
  const { id } = useParams({ strict: false }) as { id: string }
  const found = hooks.useQuery('get', '/v1/search', { params: { query: { q: id } } })
  const isKnown = found.data?.data.some(one => one.type === 'delivery' && one.id === id)
  const endpoint = found.data?.data.find(one => one.type === 'webhook')
  if (isKnown && endpoint) {
    return <Navigate to="/webhooks/$id/deliveries/$deliveryId" params={{ id: endpoint.id, deliveryId: id }} replace />
  }
  return (
    <Page title={say('webhooks.delivery')}>
      <Body>
        {found.error && <Failure of={found.error} retry={() => void found.refetch()} />}
        {found.isPending && <Skeleton height={120} mt="md" />}
        {found.data && <Empty title={say('webhooks.deliveryGone')} text={say('webhooks.deliveryGoneText')} />}
      </Body>
    </Page>
  )
}
