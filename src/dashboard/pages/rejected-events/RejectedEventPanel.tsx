import { Button, Skeleton, Text } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { Facts, Panel, Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { type RejectedEvent, useRejectedEvent } from './rejected-events.ts'

/** Side panel of a rejected request: the error response, its count and the error of each field. */
export const RejectedEventPanel = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const { id } = useParams({ strict: false }) as { id: string }
  const { problem, failure, retry } = useRejectedEvent(id)
  return (
    <Panel title={panelTitle(t, problem)} onClose={() => void navigate({ to: '/not-accepted' })}>
      {failure !== null && !problem && <Failure error={failure} retry={retry} />}
      {failure === null && problem === undefined && <Skeleton height={160} mt="md" />}
      {problem === null && <Empty title={t('notAccepted.gone')} text={t('notAccepted.goneText')} />}
      {problem && <RejectedEventDetails rejectedEvent={problem} />}
    </Panel>
  )
}

const panelTitle = (t: ReturnType<typeof useTranslate>, rejectedEvent: RejectedEvent | null | undefined): string => {
  if (!rejectedEvent) return t('notAccepted.problem')
  return rejectedEvent.severity === 'warning'
    ? t('notAccepted.warning')
    : t('notAccepted.id', { status: rejectedEvent.status })
}

const RejectedEventDetails = ({ rejectedEvent }: { rejectedEvent: RejectedEvent }) => {
  const t = useTranslate()
  const faults = Object.entries(rejectedEvent.details ?? {})
  const isMessageComplete =
    faults.length === 1 && faults.every(([field, reason]) => rejectedEvent.message === `${field}: ${reason}`)
  return (
    <>
      <Section
        title={t('notAccepted.message')}
        actions={
          rejectedEvent.path.startsWith('/v1/events') && (
            <Button
              variant="default"
              renderRoot={(props: object) => (
                <Link {...props} to="/not-accepted/check" search={{ of: rejectedEvent.id }} />
              )}
            >
              {t('notAccepted.check')}
            </Button>
          )
        }
      >
        <Text size="md">
          <bdi>{rejectedEvent.message}</bdi>
        </Text>
      </Section>
      {!isMessageComplete && faults.length > 0 && (
        <Section title={t('notAccepted.fields')}>
          <Facts items={Object.fromEntries(faults)} />
        </Section>
      )}
      <Section title={t('notAccepted.body')}>
        <Facts
          items={{
            [t('notAccepted.count')]: t('notAccepted.times', { count: rejectedEvent.count }),
            [t('notAccepted.first')]: <Time at={rejectedEvent.firstAt} exact />,
            [t('notAccepted.last')]: <Time at={rejectedEvent.lastAt} exact />,
            [t('notAccepted.sender')]: rejectedEvent.sender,
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
            [t('notAccepted.event')]: rejectedEvent.eventId && (
              <Link to="/events/$id" params={{ id: rejectedEvent.eventId }}>
                {t('notAccepted.openEvent')}
              </Link>
            ),
            [t('notAccepted.request')]: <Id value={rejectedEvent.requestId} full />,
          }}
        />
      </Section>
    </>
  )
}
