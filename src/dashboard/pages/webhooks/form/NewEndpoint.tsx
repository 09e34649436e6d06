import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks, type Schemas } from '../../../api/client.ts'
import { useIsOwner } from '../../../shell/session.tsx'
import { useTranslate } from '../../../texts/index.tsx'
import { Card } from '../../../ui/Card.tsx'
import { OwnersOnly } from '../../../ui/Empty.tsx'
import { Body, Page } from '../../../ui/Page.tsx'
import { endpointName } from '../delivery-status.tsx'
import { useRefresh } from '../refresh.ts'
import { useWebhookCrumbs } from '../useWebhookCrumbs.ts'
import { EndpointForm } from './EndpointForm.tsx'
import { EndpointSecret } from './EndpointSecret.tsx'
import { ExampleDelivery } from './ExampleDelivery.tsx'
import styles from './form.module.css'
import { toFormValues, toRequestBody } from './values.ts'

const initial = toFormValues(null)

/** Form that adds an endpoint and then shows its secret once. */
export const NewEndpoint = () => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const navigate = useNavigate()
  const refresh = useRefresh()
  const create = hooks.useMutation('post', '/v1/webhooks')
  const [created, setCreated] = useState<Schemas['WebhookWithSecret'] | null>(null)
  return (
    <Page title={t('webhooks.addTitle')} text={t('webhooks.addText')} crumbs={useWebhookCrumbs()}>
      <Body>
        {isOwner ? (
          <div className={styles.formPage}>
            <EndpointForm
              draft="webhook:new"
              initial={initial}
              headerNames={[]}
              action={t('webhooks.add')}
              back={{ to: '/webhooks' }}
              onSubmit={async (values, headers) => {
                const body = { ...toRequestBody(values, headers), enabled: !values.disabled }
                setCreated(await create.mutateAsync({ body }))
                refresh()
              }}
            />
            <aside aria-label={t('webhooks.exampleRequest')}>
              <Card title={t('webhooks.exampleRequest')}>
                <ExampleDelivery />
                <Text size="sm" c="dimmed" mt="sm">
                  {t('webhooks.exampleText')}
                </Text>
              </Card>
            </aside>
          </div>
        ) : (
          <OwnersOnly what={t('webhooks.title')} list={{ to: '/webhooks' }} />
        )}
        {created && (
          <EndpointSecret
            title={t('webhooks.secretTitle', { name: endpointName(created) })}
            secret={created.secret}
            onDone={() => void navigate({ to: '/webhooks/$id', params: { id: created.id } })}
          />
        )}
      </Body>
    </Page>
  )
}
