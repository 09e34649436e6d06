import { Anchor, Skeleton, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { hooks, type Schemas } from '../../api/client.ts'
import { useLive, useThrottled, useUnheard } from '../../api/useLive.ts'
import { pathOf } from '../../shell/paths.ts'
import { type TextId, useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { Facts, Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { customerName } from '../customers/name.ts'
import styles from './inbox.module.css'
import { useAnewOf } from './queries.ts'

const maxAttributes = 12
/** Number of timeline items fetched. Those that the thread does not show are listed. */
const recent = 40
const shownOfThem = 10
const fewSales = 5

/** Customer column of the inbox: consent, attributes, sales and recent activity. */
export const CustomerColumn = ({
  conversation,
  customer,
}: {
  conversation: Schemas['Conversation']
  customer: Schemas['Customer'] | undefined
}) => {
  const say = useTexts()
  const { customerId } = conversation
  const anewOf = useAnewOf()
  const refresh = useThrottled(() => void anewOf(customerId))
  useLive(['message', 'event', 'run'], ({ fields }) => {
    if (fields.customerId === undefined || fields.customerId === customerId) refresh()
  })
  if (!customer) return conversation.handle === null ? <Erased /> : <Skeleton height={200} mt="md" />
  return (
    <>
      <div className={styles.asideHead}>
        <Title order={3} className={styles.asideName!}>
          <bdi>{customerName(customer) ?? say('inbox.erased')}</bdi>
        </Title>
        <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to={pathOf('customer', customerId)!} />}>
          {say('inbox.customerPage')}
        </Anchor>
      </div>
      <Facts
        of={{
          [say('inbox.handle')]: customer.phone && <Id value={customer.phone} whole />,
          [say('inbox.externalId')]: customer.externalId && <Id value={customer.externalId} whole />,
        }}
      />
      <Section title={say('inbox.consent')}>
        <Consent of={customer} />
      </Section>
      <Attributes of={customer} />
      <Sales of={customerId} />
      <Recent of={customerId} besides={conversation.id} />
    </>
  )
}

const Erased = () => {
  const say = useTexts()
  return (
    <Text size="sm" c="dimmed" mt="md">
      {say('inbox.erasedText')}
    </Text>
  )
}

const Consent = ({ of: { optedInAt, optedOutAt } }: { of: Schemas['Customer'] }) => {
  const say = useTexts()
  const since = (at: string) => (
    <Text size="xs" c="dimmed" component="span">
      {' '}
      <Time at={at} />
    </Text>
  )
  if (optedOutAt)
    return (
      <>
        <Status tone="failed">{say('inbox.optedOut')}</Status>
        {since(optedOutAt)}
        <Text size="xs" c="dimmed">
          {say('inbox.optedOutText')}
        </Text>
      </>
    )
  if (optedInAt)
    return (
      <>
        <Status tone="done">{say('inbox.optedIn')}</Status>
        {since(optedInAt)}
      </>
    )
  return (
    <>
      <Status tone="off">{say('inbox.noOptIn')}</Status>
      <Text size="xs" c="dimmed">
        {say('inbox.noOptInText')}
      </Text>
    </>
  )
}

const Attributes = ({ of: { attributes } }: { of: Schemas['Customer'] }) => {
  const say = useTexts()
  const entries = Object.entries(attributes)
  if (entries.length === 0) return null
  return (
    <Section title={say('inbox.attributes')}>
      <Facts
        of={Object.fromEntries(
          entries
            .slice(0, maxAttributes)
            .map(([name, value]) => [
              name,
              <bdi key={name}>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>,
            ]),
        )}
      />
      {entries.length > maxAttributes && (
        <Text size="xs" c="dimmed">
          {say('inbox.moreAttributes', { count: entries.length - maxAttributes })}
        </Text>
      )}
    </Section>
  )
}

const Sales = ({ of: customerId }: { of: string }) => {
  const say = useTexts()
  const { locale } = useIntl()
  const { data } = hooks.useQuery('get', '/v1/sales', { params: { query: { customerId, limit: fewSales } } })
  if (!data || data.data.length === 0) return null
  return (
    <Section title={say('inbox.sales')}>
      <ul className={styles.recent}>
        {data.data.map(({ id, amount, currency, note, voidedAt, createdAt }) => (
          <li key={id}>
            <span className="tabular">
              {new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount)}
            </span>
            <span className={styles.recentTime}>
              <Time at={createdAt} />
            </span>
            {voidedAt && <Status tone="off">{say('inbox.voided')}</Status>}
            {note && (
              <Text size="xs" c="dimmed" className={styles.recentText}>
                <bdi>{note}</bdi>
              </Text>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Recent activity without the messages of the open conversation, which the thread shows. */
const Recent = ({ of: id, besides }: { of: string; besides: string }) => {
  const say = useTexts()
  const unheard = useUnheard()
  const query = hooks.useQuery(
    'get',
    '/v1/customers/{id}/timeline',
    { params: { path: { id }, query: { limit: recent } } },
    { refetchInterval: unheard },
  )
  const others = query.data?.data.filter(item => item.kind !== 'message' || item.conversationId !== besides)
  if (others?.length === 0 && !query.data?.nextCursor) return null
  return (
    <Section title={say('inbox.recent')}>
      {query.error && !query.data && <Failure of={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={120} />}
      <ul className={styles.recent}>
        {others?.slice(0, shownOfThem).map(item => (
          <li key={`${item.kind}${item.id}`}>
            <Happened item={item} />
            <span className={styles.recentTime}>
              <Time at={item.at} />
            </span>
          </li>
        ))}
      </ul>
      {(query.data?.nextCursor || (others?.length ?? 0) > shownOfThem) && (
        <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to={pathOf('customer', id)!} />}>
          {say('inbox.wholeTimeline')}
        </Anchor>
      )}
    </Section>
  )
}

const Happened = ({ item }: { item: Schemas['TimelineItem'] }) => {
  const say = useTexts()
  const link = (type: 'event' | 'message' | 'run', children: ReactNode) => (
    <span>
      <span className={styles.recentTime}>{say(`customers.item.${type}`)}</span>{' '}
      <Anchor size="sm" c="inherit" renderRoot={(props: object) => <Link {...props} to={pathOf(type, item.id)!} />}>
        {children}
      </Anchor>
    </span>
  )
  switch (item.kind) {
    case 'event':
      return link('event', <bdi>{item.type}</bdi>)
    case 'message':
      return link(
        'message',
        <>
          {say(whatBecame(item))} <bdi>{item.text ?? '…'}</bdi>
        </>,
      )
    case 'run':
      return link('run', <bdi>{item.workflowName ?? say('inbox.by.workflow')}</bdi>)
    default:
      return <span>{say(`inbox.happened.${item.kind}`)}</span>
  }
}

const whatBecame = ({ direction, status }: Extract<Schemas['TimelineItem'], { kind: 'message' }>): TextId => {
  if (direction === 'inbound') return 'inbox.wrote'
  return status === 'failed' || status === 'skipped' ? 'inbox.notSent' : 'inbox.wroteUs'
}
