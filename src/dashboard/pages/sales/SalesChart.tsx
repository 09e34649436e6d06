import type { Rows } from '../../api/pages.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { TimeChart } from '../../ui/charts/TimeChart.tsx'
import { toBarRange } from '../../ui/time-range/time-range.ts'
import { type Sale, type SaleFilters, totalsOf } from './filters.ts'
import styles from './sales.module.css'
import { chartRangeOf, toSaleBars } from './sales-over-time.ts'

/**
 * Amount of the loaded sales over time, without the voided ones, in the currency of most of them. A click on a bar filters
 * the list.
 */
export const SalesChart = ({
  rows: { rows, loadMore },
  filters,
  filter,
}: {
  rows: Rows<Sale>
  filters: SaleFilters
  filter: (filters: SaleFilters) => void
}) => {
  const t = useTranslate()
  const numbers = useNumbers()
  const isComplete = loadMore === null
  const currency = totalsOf(rows ?? [])[0]?.currency
  const range = chartRangeOf(rows ?? [], filters, isComplete)
  const money = (value: number) =>
    currency ? numbers(value, { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' }) : numbers(value)
  return (
    <section className={styles.chart} style={rows ? undefined : { visibility: 'hidden' }}>
      <TimeChart
        title={t('sales.chart', { by: range.by, shown: isComplete ? 'all' : 'some', count: rows?.length ?? 0 })}
        rows={rows && toSaleBars(rows, range, currency)}
        series={[{ key: 'amount', label: currency ?? t('sales.amount'), tone: 'accent', value: row => row.amount }]}
        by={range.by}
        height={88}
        format={money}
        onSelect={row => {
          const { range: _, ...others } = filters
          filter({ ...others, ...toBarRange(row.at, range.by) })
        }}
      />
    </section>
  )
}
