import { Anchor, Button, Skeleton, Text, Title, VisuallyHidden } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { endpointName } from './delivery-status.tsx'
import { Health, healthQuery } from './Health.tsx'
import { receiversPath } from './receivers.ts'
import styles from './webhooks.module.css'

/** Webhooks page: one card per endpoint with its health, its subscribed events and its waiting deliveries. */
export const Webhooks = () => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const query = hooks.useQuery('get', '/v1/webhooks', {})
  const cards = useSortedByHealth(query.data?.data)
  const addButton = isOwner && (
    <Button renderRoot={(props: object) => <Link {...props} to="/webhooks/new" />}>{t('webhooks.add')}</Button>
  )
  const actions = isOwner && (
    <>
      <Button variant="default" renderRoot={(props: object) => <Link {...props} to="/webhooks/doctor" />}>
        {t('webhooks.signatureCheck')}
      </Button>
      {query.data?.data.length === 0 ? null : addButton}
    </>
  )
  return (
    <Page title={t('webhooks.title')} text={t('webhooks.text')} readOnly={!isOwner} actions={actions}>
      <Body>
        {query.error && !query.data && <Failure error={query.error} retry={() => void query.refetch()} />}
        {!cards && !query.error && (
          <div className={styles.cards}>
            <Skeleton height={186} />
            <Skeleton height={186} />
          </div>
        )}
        {query.data?.data.length === 0 && (
          <Empty title={t('webhooks.emptyTitle')} text={t('webhooks.emptyText')}>
            {addButton}
            <Anchor size="sm" href={receiversPath}>
              {t('webhooks.receivers')}
            </Anchor>
          </Empty>
        )}
        {cards && cards.length > 0 && (
          <div className={styles.cards}>
            {cards.map(webhook => (
              <Card key={webhook.id} webhook={webhook} />
            ))}
          </div>
        )}
      </Body>
    </Page>
  )
}

const severity = { failing: 0, held: 1, healthy: 2, off: 3 }

/** Sorts endpoints by urgency: failing first, switched off last. Returns null until the health of all is loaded. */
const useSortedByHealth = (webhooks: Schemas['Webhook'][] | undefined): Schemas['Webhook'][] | null => {
  const healths = useQueries({ queries: (webhooks ?? []).map(({ id }) => healthQuery(id)) })
  if (!webhooks || healths.some(({ isPending }) => isPending)) return null
  const rank = (index: number) => severity[healths[index]?.data?.state ?? 'failing']
  return webhooks
    .map((webhook, index) => ({ webhook, rank: rank(index) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ webhook }) => webhook)
}

const Card = ({ webhook }: { webhook: Schemas['Webhook'] }) => {
  const t = useTranslate()
  return (
    <article className={styles.card}>
      <div>
        <Title order={2} className={styles.cardName}>
          <Link to="/webhooks/$id" params={{ id: webhook.id }}>
            <bdi>{endpointName(webhook)}</bdi>
          </Link>
        </Title>
        <div className={styles.url} title={webhook.url}>
          {webhook.url}
        </div>
        {webhook.description && (
          <Text size="sm" c="dimmed" className={styles.description!}>
            {webhook.description}
          </Text>
        )}
      </div>
      <Health webhook={webhook} />
      <div className={styles.chips}>
        <VisuallyHidden>{t('webhooks.events')}</VisuallyHidden>
        <SubscribedEvents to={webhook.events} />
      </div>
    </article>
  )
}

export const SubscribedEvents = ({ to }: { to: string[] }) =>
  to.map(type => (
    <span key={type} className={styles.chip}>
      {type}
    </span>
  ))
