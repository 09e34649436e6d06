import { Button, Group, Skeleton, Text } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Sentence, useNumbers, useTranslate } from '../../texts/index.tsx'
import { escapeOverrides } from '../../texts/isolate.ts'
import { TimeChart } from '../../ui/charts/TimeChart.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { Json } from '../../ui/json/Json.tsx'
import { Facts, Panel, Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { toChartRange } from '../../ui/time-range/time-range.ts'
import ui from '../../ui/ui.module.css'
import { senderName } from '../events/filters.ts'
import { errorText, fieldOf } from './error-text.ts'
import { parseRejectedEventFilters } from './filters.ts'
import styles from './rejected-events.module.css'
import { type RejectedEvent, useRejectedEvent } from './rejected-events.ts'
import { useTrend } from './trend.ts'
import { useKeyNames } from './useKeyNames.ts'

const route = getRouteApi('/signed/not-accepted/$id')

/** Side panel of a rejected request: the error response, its count and the error of each field. */
export const RejectedEventPanel = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const { id } = route.useParams()
  const search = parseRejectedEventFilters(route.useSearch())
  const { problem, failure, retry } = useRejectedEvent(id)
  return (
    <Panel
      title={problem ? <Title rejectedEvent={problem} /> : t('notAccepted.problem')}
      onClose={() => void navigate({ to: '/not-accepted', search })}
    >
      {failure !== null && !problem && <Failure error={failure} retry={retry} />}
      {failure === null && problem === undefined && <Skeleton height={160} mt="md" />}
      {problem === null && <Empty title={t('notAccepted.gone')} text={t('notAccepted.goneText')} />}
      {problem && <RejectedEventDetails rejectedEvent={problem} />}
    </Panel>
  )
}

/** Error as a title, which begins with the field. A suggestion stands in a box of its own. */
const Title = ({ rejectedEvent: { message, suggestions } }: { rejectedEvent: RejectedEvent }) => {
  const text = errorText(message)
  const title = Object.keys(suggestions).length === 0 ? text : text.replace(/\.? Did you mean .*\?$/, '')
  const field = fieldOf(message)
  if (field === undefined || !title.startsWith(`${field} `)) return <bdi>{title}</bdi>
  return (
    <bdi>
      <code>{field}</code>
      {title.slice(field.length)}
    </bdi>
  )
}

const RejectedEventDetails = ({ rejectedEvent }: { rejectedEvent: RejectedEvent }) => {
  const t = useTranslate()
  const number = useNumbers()
  const keyName = useKeyNames().get(rejectedEvent.apiKeyId ?? '')
  const faults = Object.entries(rejectedEvent.details ?? {})
  const suggestions = Object.entries(rejectedEvent.suggestions)
  const isEvent = rejectedEvent.path.startsWith('/v1/events')
  const isMessageComplete =
    faults.length === 1 && faults.every(([field, reason]) => rejectedEvent.message === `${field}: ${reason}`)
  return (
    <>
      <Section title={t('notAccepted.result')}>
        <Status tone={rejectedEvent.severity === 'warning' ? 'care' : 'failed'}>
          {rejectedEvent.severity === 'warning'
            ? t('notAccepted.warning')
            : t('notAccepted.id', { status: rejectedEvent.status })}
        </Status>
        {suggestions.length > 0 && (
          <div className={styles.suggestion}>
            <span>
              {suggestions.map(([field, name]) => (
                <Text key={field} size="sm" component="div">
                  <Sentence
                    id="notAccepted.rename"
                    values={{ name: <code>{name}</code>, field: <code>{escapeOverrides(field)}</code> }}
                  />
                </Text>
              ))}
            </span>
            <CheckLink id={rejectedEvent.id} apply text={t('notAccepted.applySuggestion')} />
          </div>
        )}
        {isEvent && suggestions.length === 0 && (
          <Group mt="md">
            <CheckLink
              id={rejectedEvent.id}
              text={rejectedEvent.sample ? t('notAccepted.checkCorrected') : t('notAccepted.check')}
            />
          </Group>
        )}
      </Section>
      {!isMessageComplete && faults.length > 0 && (
        <Section title={t('notAccepted.fields')}>
          <Facts
            items={Object.fromEntries(
              faults.map(([field, reason]) => [escapeOverrides(field), escapeOverrides(reason)]),
            )}
          />
        </Section>
      )}
      {rejectedEvent.sample && (
        <Section title={t('notAccepted.sample')}>
          <Text size="sm" c="dimmed" mb="xs">
            {t('notAccepted.sampleText')}
          </Text>
          <Json value={rejectedEvent.sample} label={t('notAccepted.sample')} />
        </Section>
      )}
      <Section title={t('notAccepted.body')}>
        <Facts
          items={{
            [t('notAccepted.count')]: number(rejectedEvent.count),
            [t('notAccepted.first')]: <Time at={rejectedEvent.firstAt} exact />,
            [t('notAccepted.last')]: <Time at={rejectedEvent.lastAt} exact />,
            [t('notAccepted.sender')]: senderName(rejectedEvent.sender),
            [t('notAccepted.apiKey')]: keyName && <bdi>{keyName}</bdi>,
            [t('notAccepted.call')]: (
              <code>
                {rejectedEvent.method} {rejectedEvent.path}
              </code>
            ),
            [t('notAccepted.status')]: (
              <>
                <Status tone={rejectedEvent.severity === 'warning' ? 'care' : 'failed'}>
                  {String(rejectedEvent.status)}
                </Status>{' '}
                <code>{rejectedEvent.code}</code>
              </>
            ),
            [t('notAccepted.message')]: <code>{escapeOverrides(rejectedEvent.message)}</code>,
            [t('notAccepted.event')]: rejectedEvent.eventId && (
              <Link className={ui.inLink} to="/events/$id" params={{ id: rejectedEvent.eventId }}>
                {t('notAccepted.openEvent')}
              </Link>
            ),
            [t('notAccepted.request')]: <Id value={rejectedEvent.requestId} full />,
          }}
        />
      </Section>
      {/* The last part, because a problem without a trend has none, and nothing below may move. */}
      <ProblemTrend problemId={rejectedEvent.problemId} />
    </>
  )
}

const CheckLink = ({ id, text, apply = false }: { id: string; text: string; apply?: boolean }) => (
  <Button
    variant={apply ? 'filled' : 'default'}
    renderRoot={(props: object) => (
      <Link {...props} to="/not-accepted/check" search={{ of: id, ...(apply && { apply: true }) }} />
    )}
  >
    {text}
  </Button>
)

/** Occurrences of one problem in the last 30 days. Hidden for a problem that is not among the most frequent. */
const ProblemTrend = ({ problemId }: { problemId: string }) => {
  const t = useTranslate()
  const range = toChartRange({ range: '30d' })
  const { query, entries, countsOf } = useTrend(range)
  const counts = countsOf(problemId)
  if (!entries)
    return (
      <Section title={t('notAccepted.trend')}>
        {query.error ? <Failure error={query.error} retry={() => void query.refetch()} /> : <Skeleton height={140} />}
      </Section>
    )
  // A single occurrence has no trend.
  if (!counts || counts.reduce((sum, count) => sum + count, 0) < 2) return null
  return (
    <Section title={t('notAccepted.trend')}>
      <TimeChart
        title={t('time.range.30d')}
        rows={entries.map(({ at }, index) => ({ at, count: counts[index] ?? 0 }))}
        series={[{ key: 'count', label: t('notAccepted.count'), tone: 'failed', value: row => row.count }]}
        by={range.by}
        height={88}
      />
    </Section>
  )
}
