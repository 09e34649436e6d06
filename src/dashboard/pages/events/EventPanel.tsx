import { Alert, Anchor, Button, Group, Skeleton } from '@mantine/core'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Trace } from '../../trace/Trace.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { Json } from '../../ui/json/Json.tsx'
import { Facts, Panel, Section } from '../../ui/Panel.tsx'
import { Time } from '../../ui/Time.tsx'
import { CustomerName } from '../customers/CustomerName.tsx'
import { parseEventFilters } from './filters.ts'
import { Outcomes } from './Outcomes.tsx'
import { UseInWorkflow } from './UseInWorkflow.tsx'

/** Side panel of an event: its payload, and why each workflow ran or did not run. */
export const EventPanel = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const search = parseEventFilters(useSearch({ strict: false }))
  const { id } = useParams({ strict: false }) as { id: string }
  const query = hooks.useQuery('get', '/v1/events/{id}', { params: { path: { id } } })
  const event = query.data
  return (
    <Panel title={event?.type ?? t('events.id')} onClose={() => void navigate({ to: '/events', search })}>
      {query.error && !event && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={160} mt="md" />}
      {event && (
        <>
          <Group gap="sm" pt="md">
            <Button
              variant="default"
              renderRoot={(props: object) => (
                <Link {...props} to="/events/send" search={{ ...search, again: event.id }} />
              )}
            >
              {t('events.sendAgain')}
            </Button>
            {isOwner && (
              <Button
                variant="default"
                renderRoot={(props: object) => <Link {...props} to="/workflows" search={{ new: event.type }} />}
              >
                {t('events.createWorkflow')}
              </Button>
            )}
          </Group>
          {event.idempotencyMismatch && (
            <Alert color="yellow" mt="md" title={t('events.mismatch')}>
              {t('events.mismatchText', {
                fields: event.idempotencyMismatch.fields.map(field => t(`events.mismatch.${field}`)).join(', '),
              })}{' '}
              <Time at={event.idempotencyMismatch.lastAt} exact />
            </Alert>
          )}
          <Section title={t('events.id')}>
            <Facts
              items={{
                [t('events.time')]: <Time at={event.createdAt} exact />,
                [t('events.occurred')]: event.occurredAt && <Time at={event.occurredAt} exact />,
                [t('events.eventId')]: <Id value={event.id} full />,
                [t('events.customer')]: (
                  <Anchor
                    size="sm"
                    renderRoot={(props: object) => (
                      <Link {...props} to="/customers/$id" params={{ id: event.customerId }} />
                    )}
                  >
                    <CustomerName id={event.customerId} />
                  </Anchor>
                ),
                [t('events.sender')]: event.sender,
                [t('events.source')]: t(`events.source.${event.source}`),
                [t('events.key')]: event.idempotencyKey && <Id value={event.idempotencyKey} full />,
              }}
            />
          </Section>
          <Section title={t('trace.title')}>
            <Trace event={event.id} />
          </Section>
          <Section title={t('events.outcomes')}>
            <Outcomes event={event} />
          </Section>
          <Section title={t('events.data')}>
            <Json
              value={event.data}
              prefix="data"
              label={t('events.data')}
              onPath={isOwner ? path => <UseInWorkflow path={path} /> : undefined}
            />
          </Section>
        </>
      )}
    </Panel>
  )
}
