import { Skeleton } from '@mantine/core'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useFresh } from '../../api/useLive.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import ui from '../../ui/ui.module.css'
import { Actions } from './Actions.tsx'
import { Deliveries } from './Deliveries.tsx'
import { Health } from './Health.tsx'
import { RecoveryProgress, SendWaiting } from './Recovery.tsx'
import { Settings } from './Settings.tsx'
import styles from './webhooks.module.css'
import { endpointName } from './words.tsx'

/** Endpoint page with its deliveries. Agents see its settings and its health. */
export const EndpointDeliveries = () => {
  const isOwner = useIsOwner()
  return (
    <div className={ui.withPanel}>
      <Frame part="deliveries">
        {webhook => (isOwner ? <Deliveries webhook={webhook} /> : <Settings webhook={webhook} />)}
      </Frame>
      <Outlet />
    </div>
  )
}

export const EndpointSettings = () => <Frame part="settings">{webhook => <Settings webhook={webhook} />}</Frame>

type Part = 'deliveries' | 'settings'

const Frame = ({ part, children }: { part: Part; children: (webhook: Schemas['Webhook']) => ReactNode }) => {
  const say = useTexts()
  const isOwner = useIsOwner()
  const { id } = useParams({ strict: false }) as { id: string }
  const query = hooks.useQuery('get', '/v1/webhooks/{id}', { params: { path: { id } } })
  useFresh(['delivery'], ['/v1/webhooks/{id}/health'], ({ fields }) => (fields.webhookId ?? id) === id)
  const webhook = query.data
  if (!webhook) {
    return (
      <Page title={say('webhooks.endpoint')}>
        <Body>
          {query.error ? (
            <Failure of={query.error} retry={() => void query.refetch()} />
          ) : (
            <Skeleton height={120} mt="md" />
          )}
        </Body>
      </Page>
    )
  }
  return (
    <Page
      title={endpointName(webhook)}
      text={webhook.url}
      readOnly={!isOwner}
      actions={isOwner && <Actions webhook={webhook} />}
    >
      <div className={styles.summary}>
        <Health webhook={webhook} action={isOwner && <SendWaiting webhook={webhook} />} />
        {isOwner && <RecoveryProgress webhookId={id} />}
      </div>
      {isOwner && <Places id={id} part={part} />}
      {children(webhook)}
    </Page>
  )
}

/** Navigation between the parts of an endpoint, each with its own address. */
const Places = ({ id, part }: { id: string; part: Part }) => {
  const say = useTexts()
  const at = (own: Part) => ({
    params: { id },
    activeOptions: { exact: true, includeSearch: false },
    'aria-current': own === part ? ('page' as const) : undefined,
  })
  return (
    <nav className={styles.tabs} aria-label={say('webhooks.parts')}>
      <Link to="/webhooks/$id" {...at('deliveries')}>
        {say('webhooks.deliveries')}
      </Link>
      <Link to="/webhooks/$id/settings" {...at('settings')}>
        {say('webhooks.settings')}
      </Link>
    </nav>
  )
}
