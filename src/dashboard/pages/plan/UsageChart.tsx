import { Group, Text } from '@mantine/core'
import { useIntl } from 'react-intl'
import { hooks } from '../../api/client.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import type { Series } from '../../ui/charts/series.ts'
import { TimeChart } from '../../ui/charts/TimeChart.tsx'
import { dateFormat } from '../../ui/formats.ts'
import { Status } from '../../ui/Status.tsx'
import { useNow } from '../../ui/Time.tsx'
import {
  forecastLimitDate,
  forecastUsage,
  type MonthlyUsage,
  monthStart,
  toUsageDays,
  type UsageDay,
} from './forecast.ts'
import styles from './plan.module.css'
import { usageStatus } from './usage.ts'

/** A limit this many times above the projection is left out of the chart, because the usage would be a flat line. */
const maxLimitRatio = 4

/** Events of this month: the number, the projection at the current rate, and a line from day to day. */
export const UsageChart = ({ usage, isUnlimited }: { usage: MonthlyUsage; isUnlimited: boolean }) => {
  const t = useTranslate()
  const number = useNumbers()
  const now = new Date(useNow())
  const query = hooks.useQuery('get', '/v1/activity/summary', {
    params: { query: { from: monthStart(usage.resetsAt), by: 'day' } },
  })
  const { limit, used } = usage
  const projected = forecastUsage(usage, now, query.data?.data)
  const status = usageStatus(usage)
  const series: Series<UsageDay>[] = [
    { key: 'used', label: t('plan.chart.used'), tone: 'accent', value: row => row.used },
    // Without events, there is nothing to project.
    ...(used > 0
      ? [
          {
            key: 'projected',
            label: t('plan.chart.projected'),
            tone: 'off',
            value: (row: UsageDay) => row.projected,
          } as const,
        ]
      : []),
    ...(limit !== null && limit <= Math.max(projected, used) * maxLimitRatio
      ? [{ key: 'limit', label: t('plan.chart.limit'), tone: 'failed', value: () => limit } as const]
      : []),
  ]
  return (
    <Card>
      <Group justify="space-between" align="flex-start" mb="md">
        <div>
          <Text size="sm" c="dimmed">
            {t('plan.allowance.monthlyEvents')}
          </Text>
          <div className={styles.total}>
            <strong className="tabular">{number(used)}</strong>
            {!isUnlimited && (
              <span className="tabular">
                {limit === null ? t('plan.noLimit') : t('plan.of', { limit: number(limit) })}
              </span>
            )}
            {status && <Status tone={status.tone}>{t(status.text)}</Status>}
          </div>
        </div>
        <Outlook usage={usage} projected={projected} limitDate={forecastLimitDate(usage, now, query.data?.data)} />
      </Group>
      {used === 0 ? (
        // A chart would be a flat line.
        <Text size="sm" c="dimmed">
          {t('plan.noEvents')}
        </Text>
      ) : (
        <TimeChart
          title={t('plan.chart')}
          kind="lines"
          by="day"
          height={200}
          rows={query.data && toUsageDays(usage, query.data.data, now)}
          query={query}
          series={series}
          format={value => number(value, { maximumFractionDigits: value < 10 ? 1 : 0 })}
        />
      )}
      {limit !== null && (
        <Text size="sm" c="dimmed" mt="md">
          {t('plan.refuses.monthlyEvents')}
        </Text>
      )}
    </Card>
  )
}

/** The projection at the current rate, and the start of the next month. */
const Outlook = ({
  usage,
  projected,
  limitDate,
}: {
  usage: MonthlyUsage
  projected: number
  limitDate: Date | null
}) => {
  const t = useTranslate()
  const number = useNumbers()
  const { locale } = useIntl()
  // The month of an allowance is a month in UTC.
  const day = dateFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' })
  const isFull = usage.limit !== null && usage.used >= usage.limit
  return (
    <div className={styles.outlook}>
      {!isFull && usage.used > 0 && (
        <div>
          {limitDate
            ? t('plan.pace', { day: day.format(limitDate) })
            : t(usage.limit === null ? 'plan.paceUnlimited' : 'plan.paceEnough', { count: number(projected) })}
        </div>
      )}
      <div>{t('plan.resets', { when: day.format(new Date(usage.resetsAt)) })}</div>
    </div>
  )
}
