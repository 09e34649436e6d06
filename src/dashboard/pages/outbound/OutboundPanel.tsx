import { Anchor, Button, Skeleton } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { recordLink } from '../../shell/paths.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { type TextId, useTranslate } from '../../texts/index.tsx'
import { Trace } from '../../trace/Trace.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { Json } from '../../ui/json/Json.tsx'
import { Facts, Panel, Section } from '../../ui/Panel.tsx'
import { Time } from '../../ui/Time.tsx'
import { Destinations } from './Destinations.tsx'
import { EventIcon } from './EventIcon.tsx'
import { CustomerName, useEndpointNames } from './names.tsx'
import { SendDialog } from './SendDialog.tsx'
import { useSummary } from './useSummary.ts'

const listRoute = getRouteApi('/signed/outbound')
const route = getRouteApi('/signed/outbound/$id')

/** Side panel of an outbound event: its destinations, the trace and the payload. */
export const OutboundPanel = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const search = listRoute.useSearch()
  const { id } = route.useParams()
  const query = hooks.useQuery('get', '/v1/outbound-events/{id}', { params: { path: { id } } })
  useLiveRefresh(['delivery'], ['/v1/outbound-events/{id}'])
  const summary = useSummary()
  const [isSending, setIsSending] = useState(false)
  const event = query.data
  return (
    <Panel
      title={
        event ? (
          <>
            <EventIcon type={event.type} />
            {event.type}
          </>
        ) : (
          t('outbound.id')
        )
      }
      onClose={() => void navigate({ to: '/outbound', search })}
    >
      {query.error && !event && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={160} mt="md" />}
      {event && (
        <>
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
          <Section title={t('outbound.details')}>
            <Facts
              items={{
                [t('outbound.time')]: <Time at={event.createdAt} exact />,
                [t('outbound.summary')]: <bdi>{summary(event)}</bdi>,
                [t('outbound.eventId')]: <Id value={event.id} full />,
                ...listSubjects(event, t),
              }}
            />
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

const subjects = [
  ['customerId', 'customer', 'outbound.customer'],
  ['webhookId', 'webhook', 'outbound.endpoint'],
  ['campaignId', 'campaign', 'outbound.campaign'],
  ['conversationId', 'conversation', 'outbound.conversation'],
] as const

/** Links to the records that the payload names. */
const listSubjects = (event: Schemas['OutboundEvent'], t: (id: TextId) => string) =>
  Object.fromEntries(
    subjects.flatMap(([field, kind, label]) => {
      const id = event.data[field]
      if (typeof id !== 'string') return []
      return [
        [
          t(label),
          <Anchor key={field} size="sm" renderRoot={(props: object) => <Link {...props} {...recordLink(kind, id)} />}>
            <SubjectName event={event} kind={kind} id={id} />
          </Anchor>,
        ],
      ]
    }),
  )

const SubjectName = ({ event, kind, id }: { event: Schemas['OutboundEvent']; kind: string; id: string }) => {
  const t = useTranslate()
  const endpointName = useEndpointNames()
  if (kind === 'customer') return <CustomerName id={id} />
  if (kind === 'webhook') return <bdi>{endpointName(id) ?? t('outbound.deletedEndpoint')}</bdi>
  if (kind === 'campaign' && typeof event.data.name === 'string') return <bdi>{event.data.name}</bdi>
  return t('outbound.open')
}
