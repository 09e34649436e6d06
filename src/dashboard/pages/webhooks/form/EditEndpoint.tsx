import { Skeleton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { api, hooks, type Schemas } from '../../../api/client.ts'
import { useIsOwner } from '../../../shell/session.tsx'
import { useTranslate } from '../../../texts/index.tsx'
import { OwnersOnly } from '../../../ui/Empty.tsx'
import { Failure } from '../../../ui/Failure.tsx'
import { toChanges } from '../../../ui/hooks/draft.ts'
import { Body, Page } from '../../../ui/Page.tsx'
import { endpointName } from '../delivery-status.tsx'
import { useRefresh } from '../refresh.ts'
import { useWebhookCrumbs } from '../useWebhookCrumbs.ts'
import { EndpointForm } from './EndpointForm.tsx'
import { toFormValues, toRequestBody } from './values.ts'

const webhookQuery = (id: string) => hooks.queryOptions('get', '/v1/webhooks/{id}', { params: { path: { id } } })

const route = getRouteApi('/signed/webhooks/$id/edit')

/** Form that changes an endpoint. */
export const EditEndpoint = () => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const { id } = route.useParams()
  const query = hooks.useQuery('get', '/v1/webhooks/{id}', { params: { path: { id } } })
  const webhook = query.data
  const title = webhook ? t('webhooks.editTitle', { name: endpointName(webhook) }) : t('webhooks.edit')
  return (
    <Page title={title} crumbs={useWebhookCrumbs(webhook)}>
      <Body>
        {query.error && !webhook && <Failure error={query.error} retry={() => void query.refetch()} />}
        {query.isPending && <Skeleton height={320} />}
        {webhook && isOwner && <EditForm key={id} webhook={webhook} />}
        {webhook && !isOwner && <OwnersOnly what={t('webhooks.title')} list={{ to: '/webhooks' }} />}
      </Body>
    </Page>
  )
}

const EditForm = ({ webhook }: { webhook: Schemas['Webhook'] }) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const refresh = useRefresh()
  const { id } = webhook
  const change = hooks.useMutation('patch', '/v1/webhooks/{id}')
  const queries = useQueryClient()
  const read = async () => {
    const { data } = await api.GET('/v1/webhooks/{id}', { params: { path: { id } } })
    const { queryKey } = webhookQuery(id)
    // A read that began before would bring back the previous record.
    void queries.cancelQueries({ queryKey })
    queries.setQueryData(queryKey, data)
  }
  const initial = useMemo(() => toFormValues(webhook), [webhook])
  return (
    <EndpointForm
      draft={`webhook:${id}`}
      initial={initial}
      record={{ version: webhook.updatedAt, read }}
      headerNames={webhook.headers}
      action={t('webhooks.save')}
      back={{ to: '/webhooks/$id/settings', params: { id } }}
      onSubmit={async (values, headers) => {
        const body = toChanges(toRequestBody(initial, null), toRequestBody(values, headers))
        const params = { path: { id }, header: { 'If-Match': `"${webhook.updatedAt}"` } }
        if (Object.keys(body).length > 0) await change.mutateAsync({ params, body })
        refresh()
        await navigate({ to: '/webhooks/$id/settings', params: { id } })
      }}
    />
  )
}
