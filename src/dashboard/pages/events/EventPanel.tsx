import { Alert, Anchor, Button, Group, Skeleton } from '@mantine/core'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { StoryOf } from '../../story/StoryOf.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { Json } from '../../ui/Json.tsx'
import { Facts, Panel, Section } from '../../ui/Panel.tsx'
import { Time } from '../../ui/Time.tsx'
import { CustomerName } from '../customers/CustomerName.tsx'
import { eventFilters } from './filters.ts'
import { Outcomes } from './Outcomes.tsx'
import { UseInWorkflow } from './UseInWorkflow.tsx'

/** Side panel of an event: its payload, and why each workflow ran or did not run. */
export const EventPanel = () => {
  const say = useTexts()
  const navigate = useNavigate()
  const owner = useIsOwner()
  const search = eventFilters(useSearch({ strict: false }))
  const { id } = useParams({ strict: false }) as { id: string }
  const query = hooks.useQuery('get', '/v1/events/{id}', { params: { path: { id } } })
  const event = query.data
  return (
    <Panel title={event?.type ?? say('events.id')} onClose={() => void navigate({ to: '/events', search })}>
      {query.error && !event && <Failure of={query.error} retry={() => void query.refetch()} />}
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
              {say('events.sendAgain')}
            </Button>
            {owner && (
              <Button
                variant="default"
                renderRoot={(props: object) => <Link {...props} to="/workflows" search={{ new: event.type }} />}
              >
                {say('events.makeWorkflow')}
              </Button>
            )}
          </Group>
          {event.idempotencyMismatch && (
            <Alert color="yellow" mt="md" title={say('events.mismatch')}>
              {say('events.mismatchText', {
                fields: event.idempotencyMismatch.fields.map(field => say(`events.mismatch.${field}`)).join(', '),
              })}{' '}
              <Time at={event.idempotencyMismatch.lastAt} exact />
            </Alert>
          )}
          <Section title={say('events.id')}>
            <Facts
              of={{
                [say('events.when')]: <Time at={event.createdAt} exact />,
                [say('events.occurred')]: event.occurredAt && <Time at={event.occurredAt} exact />,
                [say('events.eventId')]: <Id value={event.id} whole />,
                [say('events.customer')]: (
                  <Anchor
                    size="sm"
                    renderRoot={(props: object) => (
                      <Link {...props} to="/customers/$id" params={{ id: event.customerId }} />
                    )}
                  >
                    <CustomerName id={event.customerId} />
                  </Anchor>
                ),
                [say('events.sender')]: event.sender,
                [say('events.source')]: say(`events.source.${event.source}`),
                [say('events.key')]: event.idempotencyKey && <Id value={event.idempotencyKey} whole />,
              }}
            />
          </Section>
          <Section title={say('story.title')}>
            <StoryOf event={event.id} />
          </Section>
          <Section title={say('events.outcomes')}>
            <Outcomes of={event} />
          </Section>
          <Section title={say('events.data')}>
            <Json
              value={event.data}
              prefix="data"
              label={say('events.data')}
              onPath={owner ? path => <UseInWorkflow path={path} /> : undefined}
            />
          </Section>
        </>
      )}
    </Panel>
  )
}
