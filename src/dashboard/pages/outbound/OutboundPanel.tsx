import { Anchor, Button, Group, Skeleton, Text } from '@mantine/core'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { recordPath } from '../../shell/paths.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { type TextId, useTranslate } from '../../texts/index.tsx'
import { Trace } from '../../trace/Trace.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { Json } from '../../ui/json/Json.tsx'
import { Facts, Panel, Section } from '../../ui/Panel.tsx'
import { Time } from '../../ui/Time.tsx'
import { Destinations } from './Destinations.tsx'
import { EventSummary } from './EventSummary.tsx'
import { parseOutboundFilters } from './filters.ts'
import { SendDialog } from './SendDialog.tsx'

/** Side panel of an outbound event: its destinations, the skipped endpoints, the trace and the payload. */
export const OutboundPanel = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const search = parseOutboundFilters(useSearch({ strict: false }))
  const { id } = useParams({ strict: false }) as { id: string }
  const query = hooks.useQuery('get', '/v1/outbound-events/{id}', { params: { path: { id } } })
  useLiveRefresh(['delivery'], ['/v1/outbound-events/{id}'])
  const [isSending, setIsSending] = useState(false)
  const event = query.data
  return (
    <Panel title={event?.type ?? t('outbound.id')} onClose={() => void navigate({ to: '/outbound', search })}>
      {query.error && !event && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={160} mt="md" />}
      {event && (
        <>
          <Section title={t('outbound.id')}>
            <Facts
              items={{
                [t('outbound.time')]: <Time at={event.createdAt} exact />,
                [t('outbound.details')]: <EventSummary event={event} />,
                [t('outbound.eventId')]: <Id value={event.id} full />,
                ...listSubjects(event, t),
              }}
            />
          </Section>
          <Section
            title={t('outbound.destinations')}
            actions={
              isOwner && (
                <Button variant="default" onClick={() => setIsSending(true)}>
                  {t('outbound.send')}
                </Button>
              )
            }
          >
            <Destinations event={event} />
          </Section>
          <Section title={t('trace.title')}>
            <Trace outboundEvent={event.id} />
          </Section>
          <Section title={t('outbound.data')}>
            <Json value={event.data} prefix="data" label={t('outbound.data')} />
          </Section>
          {isOwner && (
            <SendDialog key={event.id} event={event} opened={isSending} onClose={() => setIsSending(false)} />
          )}
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
const listSubjects = ({ data }: Schemas['OutboundEvent'], t: (id: TextId) => string) =>
  Object.fromEntries(
    subjects.flatMap(([field, kind, label]) => {
      const id = data[field]
      const path = typeof id === 'string' ? recordPath(kind, id) : null
      return path === null ? [] : [[t(label), <Subject key={field} id={id as string} path={path} label={t(label)} />]]
    }),
  )

const Subject = ({ id, path, label }: { id: string; path: string; label: string }) => {
  const t = useTranslate()
  return (
    <Group gap="xs">
      <Id value={id} />
      <Anchor
        size="sm"
        aria-label={`${t('outbound.open')}: ${label}`}
        renderRoot={(props: object) => <Link {...props} to={path} />}
      >
        <Text span size="sm">
          {t('outbound.open')}
        </Text>
      </Anchor>
    </Group>
  )
}
