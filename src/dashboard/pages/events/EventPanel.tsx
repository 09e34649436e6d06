import { Alert, Button, Group, Skeleton } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { verdictOf } from '../../api/verdicts.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Trace } from '../../trace/Trace.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { Id } from '../../ui/Id.tsx'
import { ShareIcon } from '../../ui/icons.ts'
import { Json } from '../../ui/json/Json.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { Facts, Panel, PanelLead, Section } from '../../ui/Panel.tsx'
import { ArrowPathIcon } from '../../ui/page-icons.ts'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { CustomerCell } from '../customers/CustomerCell.tsx'
import styles from './events.module.css'
import { parseEventFilters, senderName } from './filters.ts'
import { Outcomes } from './Outcomes.tsx'
import { UseInWorkflow } from './UseInWorkflow.tsx'

const route = getRouteApi('/signed/events/$id')

/** Side panel of an event: its payload, and why each workflow ran or did not run. */
export const EventPanel = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const search = parseEventFilters(route.useSearch())
  const { id } = route.useParams()
  const query = hooks.useQuery('get', '/v1/events/{id}', { params: { path: { id } } })
  const event = query.data
  const blocked = event?.outcomes.some(({ verdict }) => verdict === 'started') ? undefined : event?.outcomes[0]
  return (
    <Panel title={event?.type ?? t('events.id')} onClose={() => void navigate({ to: '/events', search })}>
      {query.error && !event && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={160} mt="md" />}
      {event && (
        <>
          <EventHead event={event} />
          <Group gap="sm" pt="md">
            {isOwner && blocked && (
              <Button
                renderRoot={(props: object) => (
                  <Link {...props} to="/workflows/$id" params={{ id: blocked.workflowId }} />
                )}
              >
                {t(verdictOf(blocked, event.data) === 'filtered' ? 'events.editFilter' : 'events.openWorkflow')}
              </Button>
            )}
            {isOwner && (
              <Button
                variant={event.outcomes.length > 0 ? 'default' : 'filled'}
                leftSection={<ShareIcon width={16} />}
                renderRoot={(props: object) => <Link {...props} to="/workflows" search={{ new: event.type }} />}
              >
                {t('events.createWorkflow')}
              </Button>
            )}
            <Hint label={() => t('events.sendAgainHint')}>
              <Button
                variant="default"
                leftSection={<ArrowPathIcon width={16} />}
                renderRoot={(props: object) => (
                  <Link {...props} to="/events/send" search={{ ...search, again: event.id }} />
                )}
              >
                {t('events.sendAgain')}
              </Button>
            </Hint>
          </Group>
          {event.idempotencyMismatch && (
            <Alert color="yellow" mt="md" title={t('events.mismatch')}>
              {t('events.mismatchText', {
                fields: event.idempotencyMismatch.fields.map(field => t(`events.mismatch.${field}`)).join(', '),
              })}{' '}
              <Time at={event.idempotencyMismatch.lastAt} exact />
            </Alert>
          )}
          <Section title={t('trace.title')}>
            <Trace event={event.id} rows={estimateRows(event)} />
          </Section>
          <Section title={t('events.outcomes')}>
            <Outcomes
              event={event}
              onSuggestion={type => (
                <Button
                  variant="default"
                  renderRoot={(props: object) => (
                    <Link {...props} to="/events/send" search={{ ...search, again: event.id, as: type }} />
                  )}
                >
                  {t('events.useType', { type })}
                </Button>
              )}
            />
          </Section>
          <Section title={t('events.data')}>
            <Json
              // As conditions name its fields: data.total.
              value={{ data: event.data }}
              label={t('events.data')}
              onPath={isOwner ? path => <UseInWorkflow path={path} /> : undefined}
            />
          </Section>
          <Section title={t('events.details')}>
            <Facts
              items={{
                [t('events.time')]: <Time at={event.createdAt} exact />,
                [t('events.occurred')]: event.occurredAt && <Time at={event.occurredAt} exact />,
                [t('events.sender')]: senderName(event.sender),
                [t('events.source')]: t(`events.source.${event.source}`),
                [t('events.eventId')]: <Id value={event.id} full />,
                [t('events.key')]: event.idempotencyKey && <Id value={event.idempotencyKey} full />,
              }}
            />
          </Section>
        </>
      )}
    </Panel>
  )
}

/** Estimates the number of nodes of the trace: the event, the steps of each run, and each message with its deliveries. */
const estimateRows = ({ outcomes, messages }: Schemas['EventWithOutcomes']): number => {
  const runs = outcomes.filter(({ verdict }) => verdict === 'started').length
  return 1 + outcomes.length + 4 * Math.min(runs, 4) + 4 * Math.min(messages.length, 3)
}

/** Customer, sender and age of an event. */
const EventHead = ({ event }: { event: Schemas['EventWithOutcomes'] }) => (
  <PanelLead>
    <Link to="/customers/$id" params={{ id: event.customerId }} className={ui.inLink}>
      <CustomerCell id={event.customerId} />
    </Link>
    <span className={styles.sender}>
      <Mark of={event.sender} /> {senderName(event.sender)}
    </span>
    <span className={ui.quietCell}>
      <Time at={event.createdAt} />
    </span>
  </PanelLead>
)
