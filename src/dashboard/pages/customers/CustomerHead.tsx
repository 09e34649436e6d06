import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { toRows } from '../../api/pages.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { TimeChart } from '../../ui/charts/TimeChart.tsx'
import { Time } from '../../ui/Time.tsx'
import { formatClock, useZone } from '../../ui/zone.ts'
import { activityByDay, activityKinds, type Day } from './activity.ts'
import { ConsentStatus } from './ConsentStatus.tsx'
import styles from './customers.module.css'
import { customerName } from './name.ts'
import { useTimeline } from './useTimeline.ts'

type Item = Schemas['TimelineItem']

const maxSales = 100

/** Header of a customer: the person, the consent, the value, the last activity, and the days with activity. */
export const CustomerHead = ({ customer }: { customer: Schemas['Customer'] }) => {
  const t = useTranslate()
  const query = useTimeline(customer.id)
  const { rows } = toRows(query)
  const contact = [customer.phone, customer.email].filter(one => one !== null && one !== customerName(customer))
  return (
    <section className={styles.head} aria-label={t('customers.summary')}>
      <div className={styles.person}>
        <Avatar name={customer.name} size={40} />
        <div className={styles.grow}>
          <div className={styles.personName}>
            <bdi>{customerName(customer) ?? t('customers.nameless')}</bdi>
          </div>
          <div className={styles.quiet}>
            {contact.length > 0 ? <bdi className="tabular">{contact.join(' · ')}</bdi> : t('customers.noContact')}
          </div>
        </div>
      </div>
      <dl className={styles.stats}>
        <Stat name={t('customers.consent')}>
          <ConsentStatus customer={customer} />
        </Stat>
        <Stat name={t('customers.value')}>
          <Value customerId={customer.id} />
        </Stat>
        <Stat name={t('customers.lastActivity')}>
          {rows ? rows[0] ? <Time at={rows[0].at} /> : t('customers.never') : <Skeleton height={12} width={80} />}
        </Stat>
        <Stat name={t('customers.since')}>
          <Time at={customer.createdAt} />
        </Stat>
      </dl>
      <Activity items={rows} isComplete={!query.hasNextPage} />
    </section>
  )
}

const Stat = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** Sum of the sales, by currency. Sales beyond one page are not added, so the value is then a minimum. */
const Value = ({ customerId }: { customerId: string }) => {
  const t = useTranslate()
  const number = useNumbers()
  const { data } = hooks.useQuery('get', '/v1/sales', { params: { query: { customerId, limit: maxSales } } })
  if (!data) return <Skeleton height={12} width={80} />
  const sums = new Map<string, number>()
  for (const { amount, currency, voidedAt } of data.data)
    if (voidedAt === null) sums.set(currency, (sums.get(currency) ?? 0) + Number(amount))
  if (sums.size === 0) return t('customers.noSales')
  const value = [...sums].map(([currency, sum]) => number(sum, { style: 'currency', currency })).join(' + ')
  return data.nextCursor ? t('customers.atLeast', { value }) : value
}

const tones = { message: 'accent', event: 'moving', run: 'done', consent: 'off' } as const

/** Entries of each day of the last eight weeks, by kind. */
const Activity = ({ items, isComplete }: { items: readonly Item[] | undefined; isComplete: boolean }) => {
  const t = useTranslate()
  const zone = useZone()
  const days = activityByDay(items ?? [], isComplete, at => formatClock(new Date(at), zone).slice(0, 10), Date.now())
  const activeDays = days.filter(({ counts }) => counts && Object.values(counts).some(count => count > 0))
  const isPartial = days.some(({ counts }) => counts === null)
  return (
    <div className={styles.activity}>
      <TimeChart
        title={t('customers.activity')}
        rows={items && days}
        by="day"
        height={72}
        series={activityKinds.map(kind => ({
          key: kind,
          label: t(`customers.filter.${kind}`),
          tone: tones[kind],
          value: ({ counts }: Day) => counts?.[kind] ?? null,
        }))}
      />
      {items && (
        <p className={styles.activityNote}>
          {t('customers.activeDays', { count: activeDays.length })}
          {isPartial && ` ${t('customers.activityPartial', { count: items.length })}`}
        </p>
      )}
    </div>
  )
}
