import { Skeleton } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks, type Schemas } from '../../../api/client.ts'
import { useIsOwner } from '../../../shell/session.tsx'
import { useTranslate } from '../../../texts/index.tsx'
import { OwnersOnly } from '../../../ui/Empty.tsx'
import { Failure } from '../../../ui/Failure.tsx'
import { Body, Page } from '../../../ui/Page.tsx'
import { endpointName } from '../delivery-status.tsx'
import { useRefresh } from '../refresh.ts'
import { useWebhookCrumbs } from '../useWebhookCrumbs.ts'
import { EndpointForm } from './EndpointForm.tsx'
import { toChanges, toFormValues } from './values.ts'

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
  // The values of the start: a request contains only what this person changed.
  const [initial] = useState(() => toFormValues(webhook))
  return (
    <EndpointForm
      draft={`webhook:${id}`}
      initial={initial}
      headerNames={webhook.headers}
      action={t('webhooks.save')}
      back={{ to: '/webhooks/$id/settings', params: { id } }}
      onSubmit={async (values, headers) => {
        const body = toChanges(initial, values, headers)
        if (Object.keys(body).length > 0) await change.mutateAsync({ params: { path: { id } }, body })
        refresh()
        await navigate({ to: '/webhooks/$id/settings', params: { id } })
      }}
    />
  )
}
