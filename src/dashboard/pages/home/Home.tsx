import { Anchor, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useLiveRefresh, useOnOpen, usePollInterval } from '../../api/useLive.ts'
import { recordPath } from '../../shell/paths.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Sparkline } from '../../ui/charts/Sparkline.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { tones } from '../../ui/tones.ts'
import { useZone } from '../../ui/zone.ts'
import { FirstSteps } from './FirstSteps.tsx'
import { type Figure, summaryRange, toFigures } from './figures.ts'
import styles from './home.module.css'

/** Home page: the figures of today and the alerts. */
export const Home = () => {
  const t = useTranslate()
  const summary = useSummary()
  const alerts = useAlerts()
  const failedQueries = [summary, alerts].filter(({ error, data }) => error && !data)
  return (
    <Page title={t('home.title')}>
      <Body>
        <Stack gap="lg" maw={1040}>
          {failedQueries.length === 2 ? (
            // Both requests usually fail for the same reason, so the error is shown only once.
            <Failure error={summary.error} retry={() => void failedQueries.map(({ refetch }) => refetch())} />
          ) : (
            <>
              <Today summary={summary} />
              <AlertList alerts={alerts} summary={summary} />
            </>
          )}
          <FirstSteps />
        </Stack>
      </Body>
    </Page>
  )
}

const useSummary = () => {
  const [now] = useState(Date.now)
  useLiveRefresh(['event', 'run', 'message', 'delivery'], ['/v1/activity/summary'])
  return hooks.useQuery(
    'get',
    '/v1/activity/summary',
    { params: { query: { ...summaryRange(now), by: 'hour' } } },
    { refetchInterval: 60_000 },
  )
}

const useAlerts = () => {
  useLiveRefresh(['attention', 'conversation'], ['/v1/attention'])
  const pollInterval = usePollInterval(30_000)
  const alerts = hooks.useQuery('get', '/v1/attention', {}, { refetchInterval: pollInterval })
  useOnOpen(() => void alerts.refetch({ cancelRefetch: false }))
  return alerts
}

const Today = ({ summary }: { summary: ReturnType<typeof useSummary> }) => {
  const t = useTranslate()
  const zone = useZone()
  if (summary.error && !summary.data) return <Failure error={summary.error} retry={() => void summary.refetch()} />
  const figures = summary.data ? toFigures(summary.data.data, Date.now(), zone) : null
  return (
    <section aria-label={t('home.today')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('home.today')}
      </Text>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
        {figures
          ? figures.map(figure => <Total key={figure.key} figure={figure} />)
          : [0, 1, 2, 3].map(index => <Skeleton key={index} height={146} />)}
      </SimpleGrid>
    </section>
  )
}

const Total = ({ figure: { key, to, today, yesterday, hours } }: { figure: Figure }) => {
  const t = useTranslate()
  const number = useNumbers()
  const name = t(`home.${key}`)
  return (
    <Link to={to} className={styles.figure}>
      <span className={styles.name}>{name}</span>
      <span className={styles.number}>{number(today)}</span>
      <span className={styles.quiet}>{t('home.yesterday', { count: number(yesterday) })}</span>
      <span className={styles.chart} role="img" aria-label={t('home.chart', { name })}>
        <Sparkline values={hours} />
      </span>
    </Link>
  )
}

/** Returns null until known. An empty workspace has recorded no event and has no recent messages or deliveries. */
const useIsEmpty = ({ data: summary }: ReturnType<typeof useSummary>): boolean | null => {
  const events = hooks.useQuery('get', '/v1/activity/events', { params: { query: { limit: 1 } } })
  useLiveRefresh(['event'], ['/v1/activity/events'])
  if (events.data?.data.length !== 0) return events.data || events.error ? false : null
  return summary ? summary.data.every(hour => hour.messages.received + hour.deliveries.attempts === 0) : null
}

const NoAlerts = ({ summary }: { summary: ReturnType<typeof useSummary> }) => {
  const t = useTranslate()
  const isEmpty = useIsEmpty(summary)
  if (isEmpty === null) return summary.error ? null : <Skeleton height={44} />
  return (
    <div className={styles.normal}>
      <Status tone={isEmpty ? 'off' : 'done'}>{t(isEmpty ? 'home.empty' : 'home.normal')}</Status>
      <Text size="sm">{t(isEmpty ? 'home.emptyText' : 'home.noAlerts')}</Text>
    </div>
  )
}

/** Link to the record of an alert, or to the events of a type. */
const LinkTo = ({ subject: { type, id }, ...props }: { subject: Schemas['Attention']['subject'] }) =>
  type === 'event_type' ? (
    <Link {...props} to="/events" search={{ type: id }} />
  ) : (
    <Link {...props} to={recordPath(type, id) ?? '/'} />
  )

const AlertList = ({
  alerts,
  summary,
}: {
  alerts: ReturnType<typeof useAlerts>
  summary: ReturnType<typeof useSummary>
}) => {
  const t = useTranslate()
  return (
    <section aria-labelledby="needs-you">
      <Title order={2} id="needs-you" mb="sm">
        {t('home.attention')}
      </Title>
      {alerts.error && !alerts.data && <Failure error={alerts.error} retry={() => void alerts.refetch()} />}
      {alerts.isPending && <Skeleton height={44} />}
      {alerts.data?.data.length === 0 && <NoAlerts summary={summary} />}
      <ul className={styles.alerts}>
        {alerts.data?.data.map(({ kind, since, title, detail, subject }) => (
          <li key={`${kind} ${subject.id}`}>
            <Status tone={tones.alert[kind]}>{t(`home.kind.${kind}`)}</Status>
            <div className={styles.alert}>
              <Anchor size="sm" renderRoot={(props: object) => <LinkTo {...props} subject={subject} />}>
                <bdi>{title}</bdi>
              </Anchor>
              <Text size="sm" c="dimmed">
                <bdi>{detail}</bdi>
              </Text>
            </div>
            <Text size="sm" c="dimmed">
              <Time at={since} />
            </Text>
          </li>
        ))}
      </ul>
    </section>
  )
}
