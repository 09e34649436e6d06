import { Skeleton } from '@mantine/core'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { hooks } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Failure } from '../../../ui/Failure.tsx'
import { Body, Page } from '../../../ui/Page.tsx'

const route = getRouteApi('/signed/deliveries/$id')

/** Redirects to a delivery when only its id is known. The search result also names its endpoint. */
export const FindDelivery = () => {
  const t = useTranslate()
  const { id } = route.useParams()
  const searchResult = hooks.useQuery('get', '/v1/search', { params: { query: { q: id } } })
  const isFound = searchResult.data?.data.some(one => one.type === 'delivery' && one.id === id)
  const endpoint = searchResult.data?.data.find(one => one.type === 'webhook')
  if (isFound && endpoint) {
    return <Navigate to="/webhooks/$id/deliveries/$deliveryId" params={{ id: endpoint.id, deliveryId: id }} replace />
  }
  return (
    <Page title={t('webhooks.delivery')}>
      <Body>
        {searchResult.error && <Failure error={searchResult.error} retry={() => void searchResult.refetch()} />}
        {searchResult.isPending && <Skeleton height={120} mt="md" />}
        {searchResult.data && <Empty title={t('webhooks.deliveryGone')} text={t('webhooks.deliveryGoneText')} />}
      </Body>
    </Page>
  )
}
