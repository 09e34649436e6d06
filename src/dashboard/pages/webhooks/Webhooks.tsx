import { Anchor, Button, Skeleton, Text, Title, VisuallyHidden } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { Health, healthOf } from './Health.tsx'
import { receiversPath } from './receivers.ts'
import styles from './webhooks.module.css'
import { endpointName } from './words.tsx'

/** Webhooks page: one card per endpoint with its health, its subscribed events and its waiting deliveries. */
export const Webhooks = () => {
  const say = useTexts()
  const isOwner = useIsOwner()
  const query = hooks.useQuery('get', '/v1/webhooks', {})
  const cards = useWorstFirst(query.data?.data)
  const add = isOwner && (
    <Button renderRoot={(props: object) => <Link {...props} to="/webhooks/new" />}>{say('webhooks.add')}</Button>
  )
  const actions = isOwner && (
    <>
      <Button variant="default" renderRoot={(props: object) => <Link {...props} to="/webhooks/doctor" />}>
        {say('webhooks.doctor')}
      </Button>
      {query.data?.data.length === 0 ? null : add}
    </>
  )
  return (
    <Page title={say('webhooks.title')} text={say('webhooks.text')} readOnly={!isOwner} actions={actions}>
      <Body>
        {query.error && !query.data && <Failure of={query.error} retry={() => void query.refetch()} />}
        {!cards && !query.error && (
          <div className={styles.cards}>
            <Skeleton height={186} />
            <Skeleton height={186} />
          </div>
        )}
        {query.data?.data.length === 0 && (
          <Empty title={say('webhooks.emptyTitle')} text={say('webhooks.emptyText')}>
            {add}
            <Anchor size="sm" href={receiversPath}>
              {say('webhooks.receivers')}
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

const badness = { failing: 0, held: 1, healthy: 2, off: 3 }

/** Sorts endpoints by urgency: failing first, switched off last. Returns null until the health of all is loaded. */
const useWorstFirst = (webhooks: Schemas['Webhook'][] | undefined): Schemas['Webhook'][] | null => {
  const healths = useQueries({ queries: (webhooks ?? []).map(({ id }) => healthOf(id)) })
  if (!webhooks || healths.some(({ isPending }) => isPending)) return null
  const rank = (at: number) => badness[healths[at]?.data?.state ?? 'failing']
  return webhooks
    .map((webhook, at) => ({ webhook, rank: rank(at) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ webhook }) => webhook)
}

const Card = ({ webhook }: { webhook: Schemas['Webhook'] }) => {
  const say = useTexts()
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
        <VisuallyHidden>{say('webhooks.events')}</VisuallyHidden>
        <Subscribed to={webhook.events} />
      </div>
    </article>
  )
}

export const Subscribed = ({ to }: { to: string[] }) =>
  to.map(type => (
    <span key={type} className={styles.chip}>
      {type}
    </span>
  ))
