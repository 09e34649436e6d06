import { Skeleton, Text, Title } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { Failure } from '../../ui/Failure.tsx'
import segments from '../../ui/form/segments.module.css'
import { Body, Page } from '../../ui/Page.tsx'
import { ActivityCharts } from './ActivityCharts.tsx'
import { Alerts, useAlerts } from './Alerts.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import styles from './home.module.css'
import { defaultPeriod, type Period, parsePeriod, periods } from './period.ts'
import { Tiles } from './Tiles.tsx'
import { useChecklist } from './useFirstSteps.ts'
import { useIsEmpty } from './useIsEmpty.ts'
import { useSummary } from './useSummary.ts'

const route = getRouteApi('/signed/')

/** Home page: the setup checklist, the counts of a period, the alerts and the charts. */
export const Home = () => {
  const t = useTranslate()
  const { range: period = defaultPeriod } = parsePeriod(route.useSearch())
  const summary = useSummary(period)
  const alerts = useAlerts()
  const isEmpty = useIsEmpty(summary.data?.data, summary.error !== null)
  const checklist = useChecklist(summary.data !== undefined && isEmpty === false)
  const failedQueries = [summary, alerts].filter(({ error, data }) => error && !data)
  const isSummaryFailed = failedQueries.includes(summary)
  const isSetup = !checklist.isAtEnd && (checklist.view === 'full' || checklist.view === 'loading')
  const retry = () => {
    for (const { refetch } of failedQueries) void refetch()
    checklist.retry()
  }
  const setup = {
    loading: !checklist.isAtEnd && <Skeleton height={240} radius={8} />,
    // All requests usually fail for the same reason, so the error is shown only once.
    failed: !isSummaryFailed && <Failure error={checklist.error} what={t('home.checklist')} retry={retry} />,
    full: <FirstSteps checklist={checklist} />,
    none: null,
  }[checklist.view]
  return (
    <Page title={t('home.title')} actions={!isEmpty && <PeriodSwitch period={period} />}>
      <Body>
        <div className={styles.home} data-setup={isSetup || undefined} data-loading={checklist.isAwaited || undefined}>
          {isSummaryFailed && (
            <Failure
              error={summary.error}
              what={t(failedQueries.includes(alerts) ? 'home.activityAndAlerts' : 'home.activity')}
              retry={retry}
            />
          )}
          {!checklist.isAtEnd && setup}
          <Tiles period={period} summary={summary} />
          <div className={styles.main} data-empty={isEmpty || undefined}>
            {!isSummaryFailed &&
              (isEmpty ? (
                <Card>
                  <Title order={2} size="h3" mb="sm" className={styles.cardTitle}>
                    {t('home.activity')}
                  </Title>
                  <Text size="sm" c="dimmed">
                    {t('home.activityEmpty')}
                  </Text>
                </Card>
              ) : (
                <ActivityCharts period={period} summary={summary} />
              ))}
            <Alerts alerts={alerts} period={period} summary={summary} isEmpty={isEmpty} />
          </div>
          {checklist.isAtEnd && setup}
        </div>
      </Body>
    </Page>
  )
}

const PeriodSwitch = ({ period }: { period: Period }) => {
  const t = useTranslate()
  return (
    <nav className={segments.segments} aria-label={t('home.period')}>
      {periods.map(one => (
        <Link
          key={one}
          to="/"
          search={one === defaultPeriod ? {} : { range: one }}
          // Otherwise the router marks the default period as current at every range.
          activeOptions={{ exact: true }}
          activeProps={{}}
          aria-current={one === period || undefined}
          aria-label={t(`time.range.${one}`)}
        >
          {t(`home.period.${one}`)}
        </Link>
      ))}
    </nav>
  )
}
