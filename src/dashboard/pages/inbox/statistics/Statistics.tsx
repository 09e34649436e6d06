import { ActionIcon, Group, Skeleton, Text, Title } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useIntl } from 'react-intl'
import { hooks, type Schemas } from '../../../api/client.ts'
import { useNumbers, useTranslate } from '../../../texts/index.tsx'
import { Avatar } from '../../../ui/Avatar.tsx'
import { Card } from '../../../ui/Card.tsx'
import { BarTable } from '../../../ui/charts/BarTable.tsx'
import { timeTicks } from '../../../ui/charts/series.ts'
import { TimeChart } from '../../../ui/charts/TimeChart.tsx'
import { Failure } from '../../../ui/Failure.tsx'
import { numberFormat } from '../../../ui/formats.ts'
import { useTitlePart } from '../../../ui/hooks/title.ts'
import { usePhone } from '../../../ui/hooks/usePhone.ts'
import { XMarkIcon } from '../../../ui/page-icons.ts'
import { TimeRangeFilter } from '../../../ui/time-range/TimeRangeFilter.tsx'
import { parseTimeRange, replaceTimeRange, type TimeRange, toChartRange } from '../../../ui/time-range/time-range.ts'
import { BackToList } from '../BackToList.tsx'
import { parseInboxSearch } from '../filters.ts'
import { useTeam } from '../queries.ts'
import { Figures } from './Figures.tsx'
import styles from './statistics.module.css'
import { useSeconds } from './useSeconds.ts'

type Stats = Schemas['InboxStats']

const route = getRouteApi('/signed/inbox/statistics')
const defaultRange: TimeRange = { range: '7d' }

/** Statistics of the inbox: conversations that wait now, first responses over time, and results by member. */
export const Statistics = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  useTitlePart(t('inbox.statistics'))
  // On a phone the statistics fill the whole page.
  const phone = usePhone()
  const search = route.useSearch()
  const inboxSearch = parseInboxSearch({ ...search })
  const selected = parseTimeRange({ ...search })
  const timeRange = Object.keys(selected).length > 0 ? selected : defaultRange
  const { from, to, by } = toChartRange(timeRange)
  const query = hooks.useQuery(
    'get',
    '/v1/inbox/stats',
    // The hour or day of the end is included.
    { params: { query: { by, since: from, until: new Date(Date.parse(to) - 1).toISOString() } } },
    { placeholderData: keepPreviousData },
  )
  const before = useStatsBefore(query.data, by)
  return (
    <section className={styles.statistics} aria-labelledby="statistics-title">
      <Group className={styles.head!} justify="space-between" gap="sm" wrap="wrap">
        <Group gap="sm" wrap="nowrap">
          <BackToList />
          <Title order={phone ? 1 : 2} size="h2" id="statistics-title">
            {t('inbox.statistics')}
          </Title>
        </Group>
        <Group gap="sm" wrap="nowrap">
          <TimeRangeFilter
            always
            value={timeRange}
            onChange={next =>
              void navigate({ to: '/inbox/statistics', search: { ...inboxSearch, ...replaceTimeRange(next) } })
            }
          />
          <ActionIcon
            className={styles.close!}
            variant="subtle"
            color="gray"
            aria-label={t('panel.close')}
            renderRoot={(props: object) => <Link {...props} to="/inbox" search={inboxSearch} />}
          >
            <XMarkIcon width={18} />
          </ActionIcon>
        </Group>
      </Group>
      <div className={styles.body}>
        {query.error && !query.data ? (
          <Failure error={query.error} retry={() => void query.refetch()} />
        ) : query.data ? (
          <Charts stats={query.data} before={before.data} by={by} />
        ) : (
          <Skeleton height={420} />
        )}
      </div>
    </section>
  )
}

/** Statistics of the period of the same length before. Periods are whole hours or days, so they do not overlap. */
const useStatsBefore = (stats: Stats | undefined, by: 'hour' | 'day') => {
  const [from, to] = [Date.parse(stats?.since ?? ''), Date.parse(stats?.until ?? '')]
  const since = stats && new Date(2 * from - to).toISOString()
  const until = stats && new Date(from - 1).toISOString()
  return hooks.useQuery(
    'get',
    '/v1/inbox/stats',
    { params: { query: { by, ...(since && { since }), ...(until && { until }) } } },
    { enabled: stats !== undefined },
  )
}

const Charts = ({ stats, before, by }: { stats: Stats; before: Stats | undefined; by: 'hour' | 'day' }) => {
  const t = useTranslate()
  const seconds = useSeconds()
  return (
    <>
      {!stats.complete && <Text size="sm">{t('inbox.stats.incomplete')}</Text>}
      <Figures stats={stats} before={before} by={by} />
      <Card>
        <TimeChart
          title={t('inbox.stats.firstResponse')}
          rows={stats.data}
          by={by}
          kind="lines"
          height={200}
          ticksOf={timeTicks}
          format={value => (value === 0 ? '0' : seconds(value))}
          series={[
            { key: 'p50', label: t('inbox.stats.p50'), tone: 'accent', value: row => row.firstResponseP50 },
            { key: 'p90', label: t('inbox.stats.p90'), tone: 'care', value: row => row.firstResponseP90 },
          ]}
        />
      </Card>
      <div className={styles.columns}>
        <Card title={t('inbox.stats.byAge')}>
          <ByAge stats={stats} />
        </Card>
        <Card title={t('inbox.stats.byMember')}>
          <ByMember stats={stats} />
        </Card>
      </div>
    </>
  )
}

/** Colors of the groups by their shortest wait in seconds, as in the list. */
const toneOf = (from: number) => (from >= 3600 ? 'failed' : from >= 900 ? 'care' : 'moving')

const ByAge = ({ stats: { waitingByAge } }: { stats: Stats }) => {
  const t = useTranslate()
  const seconds = useSeconds()
  const { locale } = useIntl()
  const label = (from: number, to: number | null) => {
    if (to === null) return t('inbox.stats.over', { time: seconds(from) })
    if (from === 0) return t('inbox.stats.under', { time: seconds(to) })
    const [unit, length] = to <= 3600 ? (['minute', 60] as const) : (['hour', 3600] as const)
    return numberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).formatRange(from / length, to / length)
  }
  return (
    <BarTable
      title={t('inbox.stats.byAge')}
      bars={waitingByAge.map(({ from, to, count }) => ({
        key: String(from),
        label: label(from, to),
        value: count,
        tone: toneOf(from),
      }))}
    />
  )
}

const ByMember = ({ stats: { byMember } }: { stats: Stats }) => {
  const t = useTranslate()
  const number = useNumbers()
  const seconds = useSeconds()
  const team = useTeam()
  if (byMember.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('inbox.stats.noMembers')}
      </Text>
    )
  return (
    <table className={styles.members} aria-label={t('inbox.stats.byMember')}>
      <thead>
        <tr>
          <th scope="col">{t('inbox.stats.member')}</th>
          <th scope="col">{t('inbox.stats.answered')}</th>
          <th scope="col">{t('inbox.stats.p50')}</th>
          <th scope="col">{t('inbox.stats.resolved')}</th>
        </tr>
      </thead>
      <tbody>
        {byMember.map(({ userId, answered, firstResponseP50, resolved }) => {
          const name = team.find(one => one.userId === userId)?.name ?? t('inbox.formerMember')
          return (
            <tr key={userId}>
              <th scope="row">
                <span className={styles.member}>
                  <Avatar name={name} size={20} />
                  <bdi>{name}</bdi>
                </span>
              </th>
              <td>{number(answered)}</td>
              <td>{seconds(firstResponseP50)}</td>
              <td>{number(resolved)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
