import { Anchor, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useFresh, useOnOpen, useUnheard } from '../../api/useLive.ts'
import { pathOf } from '../../shell/paths.ts'
import { useNumbers, useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { Sparkline } from '../../ui/Sparkline.tsx'
import { Status, type Tone } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { useZone } from '../../ui/zone.ts'
import { FirstSteps } from './FirstSteps.tsx'
import styles from './home.module.css'
import { type Figure, figuresOf, spanOf } from './today.ts'

/** Home page: the figures of today and the alerts. */
export const Home = () => {
  const say = useTexts()
  const summary = useSummary()
  const attention = useAttention()
  const failed = [summary, attention].filter(({ error, data }) => error && !data)
  return (
    <Page title={say('home.title')}>
      <Body>
        <Stack gap="lg" maw={1040}>
          {failed.length === 2 ? (
            // Both requests usually fail for the same reason, so the error is shown only once.
            <Failure of={summary.error} retry={() => void failed.map(({ refetch }) => refetch())} />
          ) : (
            <>
              <Today summary={summary} />
              <NeedsYou attention={attention} summary={summary} />
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
  useFresh(['event', 'run', 'message', 'delivery'], ['/v1/activity/summary'])
  return hooks.useQuery(
    'get',
    '/v1/activity/summary',
    { params: { query: { ...spanOf(now), by: 'hour' } } },
    { refetchInterval: 60_000 },
  )
}

const useAttention = () => {
  useFresh(['attention', 'conversation'], ['/v1/attention'])
  const unheard = useUnheard(30_000)
  const attention = hooks.useQuery('get', '/v1/attention', {}, { refetchInterval: unheard })
  useOnOpen(() => void attention.refetch({ cancelRefetch: false }))
  return attention
}

const Today = ({ summary }: { summary: ReturnType<typeof useSummary> }) => {
  const say = useTexts()
  const zone = useZone()
  if (summary.error && !summary.data) return <Failure of={summary.error} retry={() => void summary.refetch()} />
  const figures = summary.data ? figuresOf(summary.data.data, Date.now(), zone) : null
  return (
    <section aria-label={say('home.today')}>
      <Text size="sm" c="dimmed" mb="sm">
        {say('home.today')}
      </Text>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
        {figures
          ? figures.map(figure => <Total key={figure.key} figure={figure} />)
          : [0, 1, 2, 3].map(place => <Skeleton key={place} height={146} />)}
      </SimpleGrid>
    </section>
  )
}

const Total = ({ figure: { key, to, today, yesterday, hours } }: { figure: Figure }) => {
  const say = useTexts()
  const number = useNumbers()
  const name = say(`home.${key}`)
  return (
    <Link to={to} className={styles.figure}>
      <span className={styles.name}>{name}</span>
      <span className={styles.number}>{number(today)}</span>
      <span className={styles.quiet}>{say('home.yesterday', { count: number(yesterday) })}</span>
      <span className={styles.chart} role="img" aria-label={say('home.chart', { name })}>
        <Sparkline values={hours} />
      </span>
    </Link>
  )
}

const toneOf: Record<Schemas['Attention']['kind'], Tone> = {
  endpoint_failing: 'failed',
  channel_failing: 'failed',
  events_rejected: 'failed',
  runs_failing: 'failed',
  event_type_unhandled: 'care',
  deliveries_waiting: 'care',
  allowance_nearly_full: 'care',
  customers_waiting: 'care',
}

/** Returns null until known. An empty workspace has recorded no event and has no recent messages or deliveries. */
const useIsEmpty = ({ data: summary }: ReturnType<typeof useSummary>): boolean | null => {
  const events = hooks.useQuery('get', '/v1/activity/events', { params: { query: { limit: 1 } } })
  useFresh(['event'], ['/v1/activity/events'])
  if (events.data?.data.length !== 0) return events.data || events.error ? false : null
  return summary ? summary.data.every(hour => hour.messages.received + hour.deliveries.attempts === 0) : null
}

const NothingToDo = ({ summary }: { summary: ReturnType<typeof useSummary> }) => {
  const say = useTexts()
  const isEmpty = useIsEmpty(summary)
  if (isEmpty === null) return summary.error ? null : <Skeleton height={44} />
  return (
    <div className={styles.well}>
      <Status tone={isEmpty ? 'off' : 'done'}>{say(isEmpty ? 'home.empty' : 'home.well')}</Status>
      <Text size="sm">{say(isEmpty ? 'home.emptyText' : 'home.nothing')}</Text>
    </div>
  )
}

/** Link to the record of an alert, or to the events of a type. */
const LinkTo = ({ of: { type, id }, ...props }: { of: Schemas['Attention']['subject'] }) =>
  type === 'event_type' ? (
    <Link {...props} to="/events" search={{ type: id }} />
  ) : (
    <Link {...props} to={pathOf(type, id) ?? '/'} />
  )

const NeedsYou = ({
  attention,
  summary,
}: {
  attention: ReturnType<typeof useAttention>
  summary: ReturnType<typeof useSummary>
}) => {
  const say = useTexts()
  return (
    <section aria-labelledby="needs-you">
      <Title order={2} id="needs-you" mb="sm">
        {say('home.needsYou')}
      </Title>
      {attention.error && !attention.data && <Failure of={attention.error} retry={() => void attention.refetch()} />}
      {attention.isPending && <Skeleton height={44} />}
      {attention.data?.data.length === 0 && <NothingToDo summary={summary} />}
      <ul className={styles.needs}>
        {attention.data?.data.map(({ kind, since, title, detail, subject }) => (
          <li key={`${kind} ${subject.id}`}>
            <Status tone={toneOf[kind]}>{say(`home.kind.${kind}`)}</Status>
            <div className={styles.need}>
              <Anchor size="sm" renderRoot={(props: object) => <LinkTo {...props} of={subject} />}>
                <bdi>{title}</bdi>
              </Anchor>
              <Text size="sm" c="dimmed">
                <bdi>{detail}</bdi>
              </Text>
            </div>
            <Text size="sm" c="dimmed" className={styles.since}>
              <Time at={since} />
            </Text>
          </li>
        ))}
      </ul>
    </section>
  )
}
