import { Button, Skeleton, Text, UnstyledButton } from '@mantine/core'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Fragment, type ReactNode, useState } from 'react'
import { Failure as ApiFailure, hooks, type Schemas } from '../../api/client.ts'
import { parseJson } from '../../api/json.ts'
import { useFresh } from '../../api/useLive.ts'
import { StoryOf } from '../../story/StoryOf.tsx'
import { Sentence, useNumbers, useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { Json } from '../../ui/Json.tsx'
import { Facts, Panel, Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Duration, Time, useDuration } from '../../ui/Time.tsx'
import { useTell } from '../../ui/told.tsx'
import { deliveryFilters } from './filters.ts'
import { useRefresh } from './refresh.ts'
import styles from './webhooks.module.css'
import { DeliveryStatus, type NotAttempted, notAttempted, useAnswer } from './words.tsx'

type Detail = Schemas['DeliveryDetail']
type Attempt = Detail['attemptLog'][number]

/** The panel polls while the next attempt is due within this time. */
const soonMs = 30_000
const lookAgainMs = 1_500

/** Side panel of a delivery: every attempt with its request and response. */
export const DeliveryPanel = () => {
  const say = useTexts()
  const navigate = useNavigate()
  const search = deliveryFilters(useSearch({ strict: false }))
  const { id, deliveryId } = useParams({ strict: false }) as { id: string; deliveryId: string }
  const without = notAttempted(hooks.useQuery('get', '/v1/webhooks/{id}', { params: { path: { id } } }).data)
  const query = hooks.useQuery(
    'get',
    '/v1/webhooks/{id}/deliveries/{deliveryId}',
    { params: { path: { id, deliveryId } } },
    {
      refetchInterval: ({ state }) =>
        !without && state.data && isTriedSoon(state.data as Detail) ? lookAgainMs : false,
    },
  )
  useFresh(['delivery'], ['/v1/webhooks/{id}/deliveries/{deliveryId}'], news => news.id === deliveryId)
  const delivery = query.data
  return (
    <Panel
      wide
      title={
        delivery ? (
          <>
            {delivery.eventType}{' '}
            <span className={styles.titleStatus}>
              <DeliveryStatus status={delivery.status} without={without} />
            </span>
          </>
        ) : (
          say('webhooks.delivery')
        )
      }
      actions={delivery && <Again webhookId={id} delivery={delivery} />}
      onClose={() => void navigate({ to: '/webhooks/$id', params: { id }, search })}
    >
      {query.error && !delivery && <Failure of={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={160} mt="md" />}
      {delivery && <Shown key={deliveryId} webhookId={id} delivery={delivery} without={without} />}
    </Panel>
  )
}

const isTriedSoon = ({ status, nextAttemptAt }: Detail): boolean =>
  status === 'pending' || (nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + soonMs)

const Shown = ({ webhookId, delivery, without }: { webhookId: string; delivery: Detail; without: NotAttempted }) => {
  const say = useTexts()
  const [chosen, setChosen] = useState<number | null>(null)
  const last = delivery.attemptLog.length - 1
  const shown = delivery.attemptLog[chosen ?? last]
  return (
    <>
      <Section title={say('webhooks.way')}>
        <StoryOf delivery={{ id: delivery.id, webhookId }} />
      </Section>
      <Section title={say('webhooks.attempts')}>
        <Attempts delivery={delivery} without={without} shown={chosen ?? last} onChoose={setChosen} />
      </Section>
      <div className={styles.sides}>
        <div className={styles.sidesGrid}>
          <Side
            title={say('webhooks.request')}
            actions={
              delivery.attemptLog.length > 0 && (
                <Link
                  className={styles.quietLink}
                  to="/webhooks/doctor"
                  search={{ webhook: webhookId, delivery: delivery.id }}
                >
                  {say('webhooks.checkSignature')}
                </Link>
              )
            }
          >
            {delivery.attemptLog.length > 1 && (
              <Text size="xs" c="dimmed" mb="sm">
                {say('webhooks.requestLast')}
              </Text>
            )}
            <Headers of={delivery.request.headers} />
            <Content text={delivery.request.body} label={say('webhooks.requestBody')} />
          </Side>
          <Side
            title={
              shown && delivery.attemptLog.length > 1
                ? say('webhooks.responseTo', { number: (chosen ?? last) + 1 })
                : say('webhooks.response')
            }
          >
            {shown ? <Response to={shown} /> : <Text size="sm">{say('webhooks.noAttempt')}</Text>}
          </Side>
        </div>
      </div>
      <Section title={say('webhooks.delivery')}>
        <Facts
          of={{
            [say('webhooks.when')]: <Time at={delivery.createdAt} exact />,
            [say('webhooks.id')]: <Id value={delivery.id} whole />,
            [say('webhooks.event')]: <Id value={delivery.eventId} whole />,
          }}
        />
      </Section>
    </>
  )
}

/** Button that retries a failed or waiting delivery, or sends the event of a delivered one as a new delivery. */
const Again = ({ webhookId, delivery }: { webhookId: string; delivery: Detail }) => {
  const say = useTexts()
  const navigate = useNavigate()
  const search = deliveryFilters(useSearch({ strict: false }))
  const refresh = useRefresh()
  const retry = hooks.useMutation('post', '/v1/webhooks/{id}/deliveries/{deliveryId}/retry')
  const send = hooks.useMutation('post', '/v1/outbound-events/{id}/send')
  const retryNow = async () => {
    await retry.mutateAsync({ params: { path: { id: webhookId, deliveryId: delivery.id } } })
    refresh()
  }
  const sendAgain = async () => {
    const made = await send.mutateAsync({ params: { path: { id: delivery.eventId } }, body: { webhookId } })
    refresh()
    await navigate({
      to: '/webhooks/$id/deliveries/$deliveryId',
      params: { id: webhookId, deliveryId: made.id },
      search,
    })
  }
  const tell = useTell()
  const quietly = (work: Promise<unknown>) =>
    void work.catch(error => tell(error instanceof ApiFailure ? error.message : say('failure.page')))
  return (
    <>
      {isRetried(delivery) && (
        <Button loading={retry.isPending} onClick={() => quietly(retryNow())}>
          {say('webhooks.retry')}
        </Button>
      )}
      {delivery.status === 'delivered' && (
        <Button variant="default" loading={send.isPending} onClick={() => quietly(sendAgain())}>
          {say('webhooks.sendAgain')}
        </Button>
      )}
    </>
  )
}

/** Returns true if a retry makes sense. An attempt that is already due needs no retry. */
const isRetried = ({ status, nextAttemptAt }: Detail): boolean =>
  status === 'failed' || (status === 'retrying' && nextAttemptAt !== null && Date.parse(nextAttemptAt) > Date.now())

/** Attempts in order, with the time between them. A click shows the response. */
const Attempts = ({
  delivery,
  without,
  shown,
  onChoose,
}: {
  delivery: Detail
  without: NotAttempted
  shown: number
  onChoose: (index: number) => void
}) => {
  const say = useTexts()
  const duration = useDuration()
  const answer = useAnswer()
  const { attemptLog: log, nextAttemptAt } = delivery
  return (
    <ol className={styles.attempts}>
      {log.map((attempt, index) => (
        <Fragment key={attempt.at}>
          {index > 0 && (
            <li className={styles.gap}>{say('webhooks.waited', { duration: duration(waitMs(log, index)) })}</li>
          )}
          <li>
            <UnstyledButton className={styles.attempt} aria-pressed={index === shown} onClick={() => onChoose(index)}>
              <span className={styles.attemptNumber}>{index + 1}</span>
              <Status tone={isGood(attempt) ? 'done' : 'failed'}>{answer(attempt) ?? ''}</Status>
              <span className={styles.took}>
                <Duration ms={attempt.durationMs} />
              </span>
              <Time at={attempt.at} />
            </UnstyledButton>
          </li>
        </Fragment>
      ))}
      {nextAttemptAt && (
        <li className={styles.gap}>
          {without ? (
            say(`webhooks.tried.${without}`)
          ) : Date.parse(nextAttemptAt) <= Date.now() ? (
            say('webhooks.triedNow')
          ) : (
            <Sentence id="webhooks.triedNext" of={{ next: <Time at={nextAttemptAt} /> }} />
          )}
        </li>
      )}
      {log.length === 0 && !nextAttemptAt && <li>{say('webhooks.noAttempt')}</li>}
    </ol>
  )
}

const isGood = ({ error }: Attempt): boolean => error === null

const waitMs = (log: Attempt[], index: number): number => {
  const before = log[index - 1]!
  return Math.max(0, Date.parse(log[index]!.at) - Date.parse(before.at) - before.durationMs)
}

const Side = ({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) => (
  <div className={styles.side}>
    <Section title={title} actions={actions}>
      {children}
    </Section>
  </div>
)

const Headers = ({ of }: { of: Record<string, string> }) => (
  <dl className={styles.headers}>
    {Object.entries(of).map(([name, value]) => (
      <Fragment key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </Fragment>
    ))}
  </dl>
)

const Response = ({ to: { statusCode, error, responseBody } }: { to: Attempt }) => {
  const say = useTexts()
  const numbers = useNumbers()
  return (
    <>
      <dl className={styles.headers}>
        <dt>{say('webhooks.status')}</dt>
        <dd>{statusCode === null ? say('webhooks.noAnswer') : numbers(statusCode, { useGrouping: false })}</dd>
        {error && (
          <>
            <dt>{say('webhooks.error')}</dt>
            <dd>{error}</dd>
          </>
        )}
      </dl>
      {responseBody ? (
        <Content text={responseBody} label={say('webhooks.responseBody')} />
      ) : (
        <Text size="sm" c="dimmed">
          {say('webhooks.noBody')}
        </Text>
      )}
    </>
  )
}

/** Content as formatted JSON if it parses, otherwise as plain text. */
const Content = ({ text, label }: { text: string; label: string }) => {
  const value = parsed(text)
  if (value !== undefined) return <Json value={value} label={label} />
  return (
    <pre className={styles.raw} tabIndex={0} role="group" aria-label={label}>
      <bdi>{text}</bdi>
    </pre>
  )
}

const parsed = (text: string): unknown => {
  try {
    const value = parseJson(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
