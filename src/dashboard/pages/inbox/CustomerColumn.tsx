import { Anchor, Skeleton, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { hooks, type Schemas } from '../../api/client.ts'
import { useLive, usePollInterval, useThrottled } from '../../api/useLive.ts'
import { recordLink } from '../../shell/paths.ts'
import { type TextId, useTranslate } from '../../texts/index.tsx'
import { withoutOverrides } from '../../texts/isolate.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { Facts, Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { Clamp } from '../../ui/text/Clamp.tsx'
import { customerName } from '../customers/name.ts'
import styles from './customer-column.module.css'
import { useInvalidateCustomer } from './queries.ts'

const maxAttributes = 12
const maxValueLines = 4
/** Number of timeline items fetched. Those that the thread does not show are listed. */
const recentLimit = 40
const maxRecentShown = 10
const maxSales = 5

/** Customer column of the inbox: consent, attributes, sales and recent activity. */
export const CustomerColumn = ({
  conversation,
  customer,
}: {
  conversation: Schemas['Conversation']
  customer: Schemas['Customer'] | undefined
}) => {
  const t = useTranslate()
  const { customerId } = conversation
  const invalidateCustomer = useInvalidateCustomer()
  const refresh = useThrottled(() => void invalidateCustomer(customerId))
  useLive(['message', 'event', 'run'], ({ fields }) => {
    if (fields.customerId === undefined || fields.customerId === customerId) refresh()
  })
  if (!customer) return conversation.handle === null ? <Erased /> : <Skeleton height={200} mt="md" />
  return (
    <>
      <div className={styles.head}>
        <Avatar name={customer.name} size={40} />
        <div className={styles.name}>
          <Title order={3} lineClamp={2}>
            <bdi title={customer.name ?? undefined}>{customerName(customer) ?? t('inbox.erased')}</bdi>
          </Title>
          <Anchor size="sm" renderRoot={(props: object) => <Link {...props} {...recordLink('customer', customerId)} />}>
            {t('inbox.customerPage')}
          </Anchor>
        </div>
      </div>
      <Facts
        items={{
          [t('inbox.handle')]: customer.phone && <Id value={customer.phone} full />,
          [t('inbox.externalId')]: customer.externalId && <Id value={customer.externalId} full />,
        }}
      />
      <Section title={t('inbox.consent')}>
        <Consent subject={customer} />
      </Section>
      <Attributes subject={customer} />
      <Sales subject={customerId} />
      <RecentActivity subject={customerId} conversationId={conversation.id} />
    </>
  )
}

const Erased = () => {
  const t = useTranslate()
  return (
    <Text size="sm" c="dimmed" mt="md">
      {t('inbox.erasedText')}
    </Text>
  )
}

const Consent = ({ subject: { optedInAt, optedOutAt } }: { subject: Schemas['Customer'] }) => {
  const t = useTranslate()
  const sinceText = (at: string) => (
    <Text size="xs" c="dimmed" component="span">
      {' '}
      <Time at={at} />
    </Text>
  )
  if (optedOutAt)
    return (
      <>
        <Status tone="care">{t('inbox.optedOut')}</Status>
        {sinceText(optedOutAt)}
        <Text size="xs" c="dimmed">
          {t('inbox.optedOutText')}
        </Text>
      </>
    )
  if (optedInAt)
    return (
      <>
        <Status tone="done">{t('inbox.optedIn')}</Status>
        {sinceText(optedInAt)}
      </>
    )
  return (
    <>
      <Status tone="off">{t('inbox.noOptIn')}</Status>
      <Text size="xs" c="dimmed">
        {t('inbox.noOptInText')}
      </Text>
    </>
  )
}

const Attributes = ({ subject: { attributes } }: { subject: Schemas['Customer'] }) => {
  const t = useTranslate()
  const entries = Object.entries(attributes)
  if (entries.length === 0) return null
  return (
    <Section title={t('inbox.attributes')}>
      <Facts
        items={Object.fromEntries(
          entries.slice(0, maxAttributes).map(([name, value]) => [
            name,
            <Clamp key={name} lines={maxValueLines}>
              <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>
            </Clamp>,
          ]),
        )}
      />
      {entries.length > maxAttributes && (
        <Text size="xs" c="dimmed">
          {t('inbox.moreAttributes', { count: entries.length - maxAttributes })}
        </Text>
      )}
    </Section>
  )
}

const Sales = ({ subject: customerId }: { subject: string }) => {
  const t = useTranslate()
  const { locale } = useIntl()
  const { data } = hooks.useQuery('get', '/v1/sales', { params: { query: { customerId, limit: maxSales } } })
  if (!data || data.data.length === 0) return null
  return (
    <Section title={t('inbox.sales')}>
      <ul className={styles.recent}>
        {data.data.map(({ id, amount, currency, note, voidedAt, createdAt }) => (
          <li key={id}>
            <span className="tabular">
              {new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount)}
            </span>
            <span className={styles.recentTime}>
              <Time at={createdAt} />
            </span>
            {voidedAt && <Status tone="off">{t('inbox.voided')}</Status>}
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
const RecentActivity = ({ subject: id, conversationId }: { subject: string; conversationId: string }) => {
  const t = useTranslate()
  const pollInterval = usePollInterval()
  const query = hooks.useQuery(
    'get',
    '/v1/customers/{id}/timeline',
    { params: { path: { id }, query: { limit: recentLimit } } },
    { refetchInterval: pollInterval },
  )
  const otherItems = query.data?.data.filter(item => item.kind !== 'message' || item.conversationId !== conversationId)
  if (otherItems?.length === 0 && !query.data?.nextCursor) return null
  return (
    <Section title={t('inbox.recent')}>
      {query.error && !query.data && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={120} />}
      <ul className={styles.recent}>
        {otherItems?.slice(0, maxRecentShown).map(item => (
          <li key={`${item.kind}${item.id}`}>
            <RecentItem item={item} />
            <span className={styles.recentTime}>
              <Time at={item.at} />
            </span>
          </li>
        ))}
      </ul>
      {(query.data?.nextCursor || (otherItems?.length ?? 0) > maxRecentShown) && (
        <Anchor size="sm" renderRoot={(props: object) => <Link {...props} {...recordLink('customer', id)} />}>
          {t('inbox.wholeTimeline')}
        </Anchor>
      )}
    </Section>
  )
}

const RecentItem = ({ item }: { item: Schemas['TimelineItem'] }) => {
  const t = useTranslate()
  const link = (type: 'event' | 'message' | 'run', children: ReactNode) => (
    <span>
      <span className={styles.recentTime}>{t(`customers.item.${type}`)}</span>{' '}
      <Anchor size="sm" c="inherit" renderRoot={(props: object) => <Link {...props} {...recordLink(type, item.id)} />}>
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
          {t(messageTextId(item))} <bdi>{withoutOverrides(item.text ?? '…')}</bdi>
        </>,
      )
    case 'run':
      return link('run', <bdi>{item.workflowName ?? t('inbox.by.workflow')}</bdi>)
    default:
      return <span>{t(`inbox.consentChange.${item.kind}`)}</span>
  }
}

const messageTextId = ({ direction, status }: Extract<Schemas['TimelineItem'], { kind: 'message' }>): TextId => {
  if (direction === 'inbound') return 'inbox.wrote'
  return status === 'failed' || status === 'skipped' ? `inbox.${status}` : 'inbox.wroteUs'
}
