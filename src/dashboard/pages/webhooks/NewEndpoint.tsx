import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { EndpointForm } from './EndpointForm.tsx'
import { useRefresh } from './refresh.ts'
import { SecretOnce } from './SecretOnce.tsx'
import { bodyOf, valuesOf } from './values.ts'
import { endpointName } from './words.tsx'

const initial = valuesOf(null)

/** Form that adds an endpoint and then shows its secret once. */
export const NewEndpoint = () => {
  const say = useTexts()
  const isOwner = useIsOwner()
  const navigate = useNavigate()
  const refresh = useRefresh()
  const create = hooks.useMutation('post', '/v1/webhooks')
  const [made, setMade] = useState<Schemas['WebhookWithSecret'] | null>(null)
  return (
    <Page title={say('webhooks.addTitle')} text={say('webhooks.addText')} readOnly={!isOwner}>
      <Body>
        {isOwner && (
          <EndpointForm
            draft="webhook:new"
            initial={initial}
            headerNames={[]}
            action={say('webhooks.add')}
            back="/webhooks"
            onSubmit={async (values, headers) => {
              setMade(await create.mutateAsync({ body: bodyOf(values, headers) }))
              refresh()
            }}
          />
        )}
        {made && (
          <SecretOnce
            title={say('webhooks.madeTitle', { name: endpointName(made) })}
            secret={made.secret}
            onDone={() => void navigate({ to: '/webhooks/$id', params: { id: made.id } })}
          />
        )}
      </Body>
    </Page>
  )
}
