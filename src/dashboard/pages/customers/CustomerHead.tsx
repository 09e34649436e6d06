import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { TimeChart } from '../../ui/charts/TimeChart.tsx'
import { Time } from '../../ui/Time.tsx'
import { totalsOf } from '../sales/filters.ts'
import { activityKinds, type Day } from './activity.ts'
import { ConsentStatus } from './ConsentStatus.tsx'
import styles from './customers.module.css'
import { useActivity } from './useActivity.ts'
import { useSales } from './useSales.ts'

/** Header of a customer: the consent, the value, the last activity, and the days with activity. */
export const CustomerHead = ({ customer }: { customer: Schemas['Customer'] }) => {
  const t = useTranslate()
  const { newest, days, hasAllDays } = useActivity(customer.id)
  const activeDays = days?.filter(isActive).length
  return (
    <section className={styles.head} aria-label={t('customers.summary')}>
      <dl className={styles.stats}>
        <Stat name={t('customers.consent')}>
          <ConsentStatus customer={customer} />
        </Stat>
        <Stat name={t('customers.value')}>
          <Value customerId={customer.id} />
        </Stat>
        <Stat name={t('customers.lastActivity')}>
          {newest === undefined ? (
            <Skeleton height={12} width={80} />
          ) : newest ? (
            <Time at={newest.at} />
          ) : (
            t('customers.never')
          )}
        </Stat>
        <Stat name={t('customers.active')}>
          {activeDays === undefined ? (
            <Skeleton height={12} width={80} />
          ) : (
            t(hasAllDays ? 'customers.activeDays' : 'customers.activeDaysAtLeast', { count: activeDays })
          )}
        </Stat>
      </dl>
    </section>
  )
}

const isActive = ({ counts }: Day): boolean => counts !== null && Object.values(counts).some(count => count > 0)

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
  const { data } = useSales(customerId)
  if (!data) return <Skeleton height={12} width={80} />
  const totals = totalsOf(data.data)
  if (totals.length === 0) return t('customers.noSales')
  const value = totals.map(({ amount, currency }) => number(amount, { style: 'currency', currency })).join(' + ')
  return data.nextCursor ? t('customers.atLeast', { value }) : value
}

const tones = { message: 'accent', event: 'moving', run: 'done', consent: 'off' } as const

/** Entries of each day of the last eight weeks, by kind. An empty chart keeps its place, so that nothing moves. */
export const Activity = ({ customerId }: { customerId: string }) => {
  const t = useTranslate()
  const { days, query, loadedCount, hasAllDays } = useActivity(customerId)
  return (
    <section>
      <TimeChart
        title={t('customers.activity')}
        rows={query.error ? undefined : days}
        query={query}
        by="day"
        height={72}
        series={activityKinds.map(kind => ({
          key: kind,
          label: t(`customers.filter.${kind}`),
          tone: tones[kind],
          value: ({ counts }: Day) => counts?.[kind] ?? null,
        }))}
      />
      {days && !hasAllDays && !query.error && (
        <p className={styles.activityNote}>{t('customers.activityPartial', { count: loadedCount })}</p>
      )}
    </section>
  )
}
