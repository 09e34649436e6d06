import { Skeleton } from '@mantine/core'
import { getRouteApi, Link, Outlet, useMatch } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { toTimeQuery } from '../../ui/time-range/time-range.ts'
import ui from '../../ui/ui.module.css'
import { Actions } from './Actions.tsx'
import { Deliveries } from './delivery/Deliveries.tsx'
import { endpointName } from './delivery-status.tsx'
import { EndpointState } from './EndpointState.tsx'
import { Health, useHealth } from './Health.tsx'
import { RetryDeliveries } from './Recovery.tsx'
import { RecoveryProgress } from './RecoveryProgress.tsx'
import { ResumeButtons, useResume } from './Resume.tsx'
import { Settings } from './Settings.tsx'
import { useWebhookCrumbs } from './useWebhookCrumbs.ts'
import styles from './webhooks.module.css'

const deliveriesRoute = getRouteApi('/signed/webhooks/$id')
const settingsRoute = getRouteApi('/signed/webhooks/$id/settings')

/** Endpoint page with its deliveries. Agents see its settings and its health. */
export const EndpointDeliveries = () => {
  const isOwner = useIsOwner()
  const { id } = deliveriesRoute.useParams()
  return (
    <div className={ui.withPanel}>
      <Frame id={id} tab="deliveries">
        {webhook => (isOwner ? <Deliveries webhook={webhook} /> : <Settings webhook={webhook} />)}
      </Frame>
      <Outlet />
    </div>
  )
}

export const EndpointSettings = () => {
  const { id } = settingsRoute.useParams()
  return (
    <Frame id={id} tab="settings">
      {webhook => <Settings webhook={webhook} />}
    </Frame>
  )
}

type EndpointTab = 'deliveries' | 'settings'

const Frame = ({
  id,
  tab,
  children,
}: {
  id: string
  tab: EndpointTab
  children: (webhook: Schemas['Webhook']) => ReactNode
}) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const crumbs = useWebhookCrumbs()
  const query = hooks.useQuery('get', '/v1/webhooks/{id}', { params: { path: { id } } })
  const { data: health, errorUpdateCount: healthErrors } = useHealth(id)
  const resume = useResume(id)
  const filters = useMatch({ from: '/signed/webhooks/$id', shouldThrow: false })?.search ?? {}
  useLiveRefresh(['delivery'], ['/v1/webhooks/{id}/health'], ({ fields }) => (fields.webhookId ?? id) === id)
  const list = {
    range: toTimeQuery(filters),
    isNarrowed: Boolean(filters.status ?? filters.statusCode ?? filters.eventType),
  }
  const webhook = query.data
  const isOutdated = webhook !== undefined && health !== undefined && isHealthOfOtherState(webhook, health)
  // The health is refreshed more often, and is the first to show that somebody else paused or resumed the endpoint.
  const { refetch } = query
  useEffect(() => {
    if (isOutdated) void refetch()
  }, [isOutdated, refetch])
  // The height of the health depends on its state, so nothing is shown below it before.
  if (!webhook || (!health && healthErrors === 0)) {
    return (
      <Page title={webhook ? endpointName(webhook) : t('webhooks.endpoint')} crumbs={crumbs}>
        <Body>
          {!webhook && query.error ? (
            <Failure
              error={query.error}
              retry={() => void query.refetch()}
              record={t('webhooks.endpoint')}
              list={crumbs.at(-1)}
            />
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
      crumbs={crumbs}
      status={health && <EndpointState health={health} />}
      readOnly={!isOwner}
      actions={isOwner && <Actions webhook={webhook} {...list} />}
    >
      <div className={styles.summary}>
        <Health
          webhook={webhook}
          action={
            isOwner &&
            (webhook.enabled && webhook.heldAt ? (
              <ResumeButtons webhookId={id} resume={resume} />
            ) : (
              <RetryDeliveries webhook={webhook} {...list} />
            ))
          }
        />
        {Boolean(resume.failure) && <Failure error={resume.failure} />}
        {isOwner && <RecoveryProgress webhookId={id} />}
      </div>
      {isOwner && <EndpointTabs id={id} tab={tab} />}
      {children(webhook)}
    </Page>
  )
}

const isHealthOfOtherState = ({ enabled, heldAt }: Schemas['Webhook'], { state }: Schemas['WebhookHealth']): boolean =>
  (state === 'off') === enabled || (enabled && (state === 'held') !== (heldAt !== null))

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
