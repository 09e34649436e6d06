import { Anchor, Button, Group, Skeleton, Text } from '@mantine/core'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useFresh } from '../../api/useLive.ts'
import { pathOf } from '../../shell/paths.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { StoryOf } from '../../story/StoryOf.tsx'
import { type TextId, useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { Json } from '../../ui/Json.tsx'
import { Facts, Panel, Section } from '../../ui/Panel.tsx'
import { Time } from '../../ui/Time.tsx'
import { About } from './About.tsx'
import { Destinations } from './Destinations.tsx'
import { outboundFilters } from './filters.ts'
import { SendTo } from './SendTo.tsx'

/** Side panel of an outbound event: its destinations, the skipped endpoints, the trace and the payload. */
export const OutboundPanel = () => {
  const say = useTexts()
  const navigate = useNavigate()
  const owner = useIsOwner()
  const search = outboundFilters(useSearch({ strict: false }))
  const { id } = useParams({ strict: false }) as { id: string }
  const query = hooks.useQuery('get', '/v1/outbound-events/{id}', { params: { path: { id } } })
  useFresh(['delivery'], ['/v1/outbound-events/{id}'])
  const [sending, setSending] = useState(false)
  const event = query.data
  return (
    <Panel title={event?.type ?? say('outbound.id')} onClose={() => void navigate({ to: '/outbound', search })}>
      {query.error && !event && <Failure of={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={160} mt="md" />}
      {event && (
        <>
          <Section title={say('outbound.id')}>
            <Facts
              of={{
                [say('outbound.when')]: <Time at={event.createdAt} exact />,
                [say('outbound.about')]: <About event={event} />,
                [say('outbound.eventId')]: <Id value={event.id} whole />,
                ...subjectsOf(event, say),
              }}
            />
          </Section>
          <Section
            title={say('outbound.destinations')}
            actions={
              owner && (
                <Button variant="default" onClick={() => setSending(true)}>
                  {say('outbound.send')}
                </Button>
              )
            }
          >
            <Destinations event={event} />
          </Section>
          <Section title={say('story.title')}>
            <StoryOf outboundEvent={event.id} />
          </Section>
          <Section title={say('outbound.data')}>
            <Json value={event.data} prefix="data" label={say('outbound.data')} />
          </Section>
          {owner && <SendTo key={event.id} event={event} opened={sending} onClose={() => setSending(false)} />}
        </>
      )}
    </Panel>
  )
}

const subjects: [field: string, kind: string, label: TextId][] = [
  ['customerId', 'customer', 'outbound.customer'],
  ['conversationId', 'conversation', 'outbound.conversation'],
  ['campaignId', 'campaign', 'outbound.campaign'],
  ['webhookId', 'webhook', 'outbound.endpoint'],
]

/** Links to the records that the payload names. */
const subjectsOf = ({ data }: Schemas['OutboundEvent'], say: (id: TextId) => string) =>
  Object.fromEntries(
    subjects.flatMap(([field, kind, label]) => {
      const id = data[field]
      const path = typeof id === 'string' ? pathOf(kind, id) : null
      return path === null
        ? []
        : [[say(label), <Subject key={field} id={id as string} path={path} label={say(label)} />]]
    }),
  )

const Subject = ({ id, path, label }: { id: string; path: string; label: string }) => {
  const say = useTexts()
  return (
    <Group gap="xs">
      <Id value={id} />
      <Anchor
        size="sm"
        aria-label={`${say('outbound.open')}: ${label}`}
        renderRoot={(props: object) => <Link {...props} to={path} />}
      >
        <Text span size="sm">
          {say('outbound.open')}
        </Text>
      </Anchor>
    </Group>
  )
}
