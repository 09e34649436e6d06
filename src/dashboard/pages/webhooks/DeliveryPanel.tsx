import { Button, Skeleton, Text, UnstyledButton } from '@mantine/core'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Fragment, type ReactNode, useState } from 'react'
import { Failure as ApiFailure, hooks, type Schemas } from '../../api/client.ts'
import { parseJson } from '../../api/json.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { Sentence, useNumbers, useTranslate } from '../../texts/index.tsx'
import { Trace } from '../../trace/Trace.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { Json } from '../../ui/json/Json.tsx'
import { Facts, Panel, Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Duration, Time, useDuration } from '../../ui/Time.tsx'
import { useNotify } from '../../ui/useNotify.tsx'
import { type BlockReason, DeliveryStatus, getBlockReason, useAttemptResult } from './delivery-status.tsx'
import { parseDeliveryFilters } from './filters.ts'
import { useRefresh } from './refresh.ts'
import styles from './webhooks.module.css'

type Detail = Schemas['DeliveryDetail']
type Attempt = Detail['attemptLog'][number]

/** The panel polls while the next attempt is due within this time. */
const soonRetryMs = 30_000
const pollIntervalMs = 1_500

/** Side panel of a delivery: every attempt with its request and response. */
export const DeliveryPanel = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const search = parseDeliveryFilters(useSearch({ strict: false }))
  const { id, deliveryId } = useParams({ strict: false }) as { id: string; deliveryId: string }
  const blockReason = getBlockReason(hooks.useQuery('get', '/v1/webhooks/{id}', { params: { path: { id } } }).data)
  const query = hooks.useQuery(
    'get',
    '/v1/webhooks/{id}/deliveries/{deliveryId}',
    { params: { path: { id, deliveryId } } },
    {
      refetchInterval: ({ state }) =>
        !blockReason && state.data && isRetriedSoon(state.data as Detail) ? pollIntervalMs : false,
    },
  )
  useLiveRefresh(['delivery'], ['/v1/webhooks/{id}/deliveries/{deliveryId}'], news => news.id === deliveryId)
  const delivery = query.data
  return (
    <Panel
      wide
      title={
        delivery ? (
          <>
            {delivery.eventType}{' '}
            <span className={styles.titleStatus}>
              <DeliveryStatus status={delivery.status} blockReason={blockReason} />
            </span>
          </>
        ) : (
          t('webhooks.delivery')
        )
      }
      actions={delivery && <RetryActions webhookId={id} delivery={delivery} />}
      onClose={() => void navigate({ to: '/webhooks/$id', params: { id }, search })}
    >
      {query.error && !delivery && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={160} mt="md" />}
      {delivery && <DeliveryDetails key={deliveryId} webhookId={id} delivery={delivery} blockReason={blockReason} />}
    </Panel>
  )
}

const isRetriedSoon = ({ status, nextAttemptAt }: Detail): boolean =>
  status === 'pending' || (nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + soonRetryMs)

const DeliveryDetails = ({
  webhookId,
  delivery,
  blockReason,
}: {
  webhookId: string
  delivery: Detail
  blockReason: BlockReason
}) => {
  const t = useTranslate()
  const [selectedIndex, setSelectedIndex] = useState<number | null>(null)
  const last = delivery.attemptLog.length - 1
  const selectedAttempt = delivery.attemptLog[selectedIndex ?? last]
  return (
    <>
      <Section title={t('webhooks.trace')}>
        <Trace delivery={{ id: delivery.id, webhookId }} />
      </Section>
      <Section title={t('webhooks.attempts')}>
        <Attempts
          delivery={delivery}
          blockReason={blockReason}
          selectedAttempt={selectedIndex ?? last}
          onChoose={setSelectedIndex}
        />
      </Section>
      <div className={styles.sides}>
        <div className={styles.sidesGrid}>
          <MessageSide
            title={t('webhooks.request')}
            actions={
              delivery.attemptLog.length > 0 && (
                <Link
                  className={styles.quietLink}
                  to="/webhooks/doctor"
                  search={{ webhook: webhookId, delivery: delivery.id }}
                >
                  {t('webhooks.checkSignature')}
                </Link>
              )
            }
          >
            {delivery.attemptLog.length > 1 && (
              <Text size="xs" c="dimmed" mb="sm">
                {t('webhooks.requestLast')}
              </Text>
            )}
            <Headers headers={delivery.request.headers} />
            <Content text={delivery.request.body} label={t('webhooks.requestBody')} />
          </MessageSide>
          <MessageSide
            title={
              selectedAttempt && delivery.attemptLog.length > 1
                ? t('webhooks.responseTo', { number: (selectedIndex ?? last) + 1 })
                : t('webhooks.response')
            }
          >
            {selectedAttempt ? <Response to={selectedAttempt} /> : <Text size="sm">{t('webhooks.noAttempt')}</Text>}
          </MessageSide>
        </div>
      </div>
      <Section title={t('webhooks.delivery')}>
        <Facts
          items={{
            [t('webhooks.time')]: <Time at={delivery.createdAt} exact />,
            [t('webhooks.id')]: <Id value={delivery.id} full />,
            [t('webhooks.event')]: <Id value={delivery.eventId} full />,
          }}
        />
      </Section>
    </>
  )
}

/** Button that retries a failed or waiting delivery, or sends the event of a delivered one as a new delivery. */
const RetryActions = ({ webhookId, delivery }: { webhookId: string; delivery: Detail }) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const search = parseDeliveryFilters(useSearch({ strict: false }))
  const refresh = useRefresh()
  const retry = hooks.useMutation('post', '/v1/webhooks/{id}/deliveries/{deliveryId}/retry')
  const send = hooks.useMutation('post', '/v1/outbound-events/{id}/send')
  const retryNow = async () => {
    await retry.mutateAsync({ params: { path: { id: webhookId, deliveryId: delivery.id } } })
    refresh()
  }
  const sendAgain = async () => {
    const created = await send.mutateAsync({ params: { path: { id: delivery.eventId } }, body: { webhookId } })
    refresh()
    await navigate({
      to: '/webhooks/$id/deliveries/$deliveryId',
      params: { id: webhookId, deliveryId: created.id },
      search,
    })
  }
  const notify = useNotify()
  const ignoreErrors = (promise: Promise<unknown>) =>
    void promise.catch(error => notify(error instanceof ApiFailure ? error.message : t('failure.page')))
  return (
    <>
      {canRetry(delivery) && (
        <Button loading={retry.isPending} onClick={() => ignoreErrors(retryNow())}>
          {t('webhooks.retry')}
        </Button>
      )}
      {delivery.status === 'delivered' && (
        <Button variant="default" loading={send.isPending} onClick={() => ignoreErrors(sendAgain())}>
          {t('webhooks.sendAgain')}
        </Button>
      )}
    </>
  )
}

/** Returns true if a retry makes sense. An attempt that is already due needs no retry. */
const canRetry = ({ status, nextAttemptAt }: Detail): boolean =>
  status === 'failed' || (status === 'retrying' && nextAttemptAt !== null && Date.parse(nextAttemptAt) > Date.now())

/** Attempts in order, with the time between them. A click shows the response. */
const Attempts = ({
  delivery,
  blockReason,
  selectedAttempt,
  onChoose,
}: {
  delivery: Detail
  blockReason: BlockReason
  selectedAttempt: number
  onChoose: (index: number) => void
}) => {
  const t = useTranslate()
  const duration = useDuration()
  const attemptResult = useAttemptResult()
  const { attemptLog: log, nextAttemptAt } = delivery
  return (
    <ol className={styles.attempts}>
      {log.map((attempt, index) => (
        <Fragment key={attempt.at}>
          {index > 0 && (
            <li className={styles.gap}>{t('webhooks.waitTime', { duration: duration(waitMs(log, index)) })}</li>
          )}
          <li>
            <UnstyledButton
              className={styles.attempt}
              aria-pressed={index === selectedAttempt}
              onClick={() => onChoose(index)}
            >
              <span className={styles.attemptNumber}>{index + 1}</span>
              <Status tone={isSuccess(attempt) ? 'done' : 'failed'}>{attemptResult(attempt) ?? ''}</Status>
              <span className={styles.duration}>
                <Duration ms={attempt.durationMs} />
              </span>
              <Time at={attempt.at} />
            </UnstyledButton>
          </li>
        </Fragment>
      ))}
      {nextAttemptAt && (
        <li className={styles.gap}>
          {blockReason ? (
            t(`webhooks.nextAttempt.${blockReason}`)
          ) : Date.parse(nextAttemptAt) <= Date.now() ? (
            t('webhooks.attemptInProgress')
          ) : (
            <Sentence id="webhooks.nextAttemptAt" values={{ next: <Time at={nextAttemptAt} /> }} />
          )}
        </li>
      )}
      {log.length === 0 && !nextAttemptAt && <li>{t('webhooks.noAttempt')}</li>}
    </ol>
  )
}

const isSuccess = ({ error }: Attempt): boolean => error === null

const waitMs = (log: Attempt[], index: number): number => {
  const previous = log[index - 1]!
  return Math.max(0, Date.parse(log[index]!.at) - Date.parse(previous.at) - previous.durationMs)
}

const MessageSide = ({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) => (
  <div className={styles.side}>
    <Section title={title} actions={actions}>
      {children}
    </Section>
  </div>
)

const Headers = ({ headers }: { headers: Record<string, string> }) => (
  <dl className={styles.headers}>
    {Object.entries(headers).map(([name, value]) => (
      <Fragment key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </Fragment>
    ))}
  </dl>
)

const Response = ({ to: { statusCode, error, responseBody } }: { to: Attempt }) => {
  const t = useTranslate()
  const numbers = useNumbers()
  return (
    <>
      <dl className={styles.headers}>
        <dt>{t('webhooks.status')}</dt>
        <dd>{statusCode === null ? t('webhooks.noAnswer') : numbers(statusCode, { useGrouping: false })}</dd>
        {error && (
          <>
            <dt>{t('webhooks.error')}</dt>
            <dd>{error}</dd>
          </>
        )}
      </dl>
      {responseBody ? (
        <Content text={responseBody} label={t('webhooks.responseBody')} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('webhooks.noBody')}
        </Text>
      )}
    </>
  )
}

/** Content as formatted JSON if it parses, otherwise as plain text. */
const Content = ({ text, label }: { text: string; label: string }) => {
  const value = tryParseJson(text)
  if (value !== undefined) return <Json value={value} label={label} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by the keyboard.
    <section className={styles.raw} tabIndex={0} aria-label={label}>
      <bdi>{text}</bdi>
    </section>
  )
}

const tryParseJson = (text: string): unknown => {
  try {
    const value = parseJson(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
