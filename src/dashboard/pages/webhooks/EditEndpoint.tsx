import { Skeleton } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { EndpointForm } from './EndpointForm.tsx'
import { useRefresh } from './refresh.ts'
import { changesOf, valuesOf } from './values.ts'
import { endpointName } from './words.tsx'

/** Form that changes an endpoint. */
export const EditEndpoint = () => {
  const say = useTexts()
  const isOwner = useIsOwner()
  const { id } = useParams({ strict: false }) as { id: string }
  const query = hooks.useQuery('get', '/v1/webhooks/{id}', { params: { path: { id } } })
  const webhook = query.data
  const title = webhook ? say('webhooks.editTitle', { name: endpointName(webhook) }) : say('webhooks.edit')
  return (
    <Page title={title} readOnly={!isOwner}>
      <Body>
        {query.error && !webhook && <Failure of={query.error} retry={() => void query.refetch()} />}
        {query.isPending && <Skeleton height={320} />}
        {webhook && isOwner && <Editing key={id} webhook={webhook} />}
      </Body>
    </Page>
  )
}

const Editing = ({ webhook }: { webhook: Schemas['Webhook'] }) => {
  const say = useTexts()
  const navigate = useNavigate()
  const refresh = useRefresh()
  const { id } = webhook
  const change = hooks.useMutation('patch', '/v1/webhooks/{id}')
  const before = valuesOf(webhook)
  return (
    <EndpointForm
      draft={`webhook:${id}`}
      initial={before}
      headerNames={webhook.headers}
      action={say('webhooks.save')}
      back={`/webhooks/${id}/settings`}
      onSubmit={async (values, headers) => {
        const body = changesOf(before, values, headers)
        if (Object.keys(body).length > 0) await change.mutateAsync({ params: { path: { id } }, body })
        refresh()
        await navigate({ to: '/webhooks/$id/settings', params: { id } })
      }}
    />
  )
}
