import { Skeleton } from '@mantine/core'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import ui from '../../ui/ui.module.css'
import { Actions } from './Actions.tsx'
import { Deliveries } from './Deliveries.tsx'
import { endpointName } from './delivery-status.tsx'
import { Health } from './Health.tsx'
import { RecoveryProgress, SendWaiting } from './Recovery.tsx'
import { Settings } from './Settings.tsx'
import styles from './webhooks.module.css'

/** Endpoint page with its deliveries. Agents see its settings and its health. */
export const EndpointDeliveries = () => {
  const isOwner = useIsOwner()
  return (
    <div className={ui.withPanel}>
      <Frame tab="deliveries">
        {webhook => (isOwner ? <Deliveries webhook={webhook} /> : <Settings webhook={webhook} />)}
      </Frame>
      <Outlet />
    </div>
  )
}

export const EndpointSettings = () => <Frame tab="settings">{webhook => <Settings webhook={webhook} />}</Frame>

type EndpointTab = 'deliveries' | 'settings'

const Frame = ({ tab, children }: { tab: EndpointTab; children: (webhook: Schemas['Webhook']) => ReactNode }) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const { id } = useParams({ strict: false }) as { id: string }
  const query = hooks.useQuery('get', '/v1/webhooks/{id}', { params: { path: { id } } })
  useLiveRefresh(['delivery'], ['/v1/webhooks/{id}/health'], ({ fields }) => (fields.webhookId ?? id) === id)
  const webhook = query.data
  if (!webhook) {
    return (
      <Page title={t('webhooks.endpoint')}>
        <Body>
          {query.error ? (
            <Failure error={query.error} retry={() => void query.refetch()} />
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
      {isOwner && <EndpointTabs id={id} tab={tab} />}
      {children(webhook)}
    </Page>
  )
}

/** Navigation between the parts of an endpoint, each with its own address. */
const EndpointTabs = ({ id, tab }: { id: string; tab: EndpointTab }) => {
  const t = useTranslate()
  const tabLinkProps = (linkTab: EndpointTab) => ({
    params: { id },
    activeOptions: { exact: true, includeSearch: false },
    'aria-current': linkTab === tab ? ('page' as const) : undefined,
  })
  return (
    <nav className={styles.tabs} aria-label={t('webhooks.pages')}>
      <Link to="/webhooks/$id" {...tabLinkProps('deliveries')}>
        {t('webhooks.deliveries')}
      </Link>
      <Link to="/webhooks/$id/settings" {...tabLinkProps('settings')}>
        {t('webhooks.settings')}
      </Link>
    </nav>
  )
}
