import { Skeleton, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { hooks, type Schemas } from '../../api/client.ts'
import { toRows } from '../../api/pages.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { dateFormat } from '../../ui/formats.ts'
import { Time } from '../../ui/Time.tsx'
import { formatClock, useZone } from '../../ui/zone.ts'
import { activityByDay, type Day } from './activity.ts'
import { ConsentStatus } from './ConsentStatus.tsx'
import styles from './customers.module.css'
import { customerName } from './name.ts'
import { useTimeline } from './useTimeline.ts'

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
      <ActivityStrip items={rows} isComplete={!query.hasNextPage} />
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

/** Maximum level of a day, reached with this number of entries. */
const maxLevel = 4

/** Strip of the last eight weeks. The darker a day, the more happened. */
const ActivityStrip = ({
  items,
  isComplete,
}: {
  items: readonly Schemas['TimelineItem'][] | undefined
  isComplete: boolean
}) => {
  const t = useTranslate()
  const { locale } = useIntl()
  const zone = useZone()
  const format = dateFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const days = activityByDay(items ?? [], isComplete, at => formatClock(new Date(at), zone).slice(0, 10), Date.now())
  const textOf = ({ day, count }: Day) =>
    t('customers.dayCount', { day: format.format(new Date(day)), count: count ?? 0 })
  const activeDays = days.filter(({ count }) => count)
  return (
    <figure className={styles.strip} aria-label={t('customers.activity')}>
      <figcaption className={styles.quiet}>{t('customers.activeDays', { count: activeDays.length })}</figcaption>
      <div className={styles.days} aria-hidden="true">
        {days.map(day => (
          <span
            key={day.day}
            title={day.count === null ? undefined : textOf(day)}
            data-level={day.count === null ? 'unknown' : Math.min(day.count, maxLevel)}
          />
        ))}
      </div>
      <VisuallyHidden>
        <ul>
          {activeDays.map(day => (
            <li key={day.day}>{textOf(day)}</li>
          ))}
        </ul>
      </VisuallyHidden>
    </figure>
  )
}
