import { Skeleton } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { useIsOwner, useSession } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Trace } from '../../trace/Trace.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { Json } from '../../ui/json/Json.tsx'
import { Facts, Panel, PanelTitle, Section } from '../../ui/Panel.tsx'
import { Destinations } from './Destinations.tsx'
import { EventHead } from './EventHead.tsx'
import { EventIcon } from './EventIcon.tsx'
import { EventStatus } from './EventStatus.tsx'
import { SendDialog } from './SendDialog.tsx'

const listRoute = getRouteApi('/signed/outbound')
const route = getRouteApi('/signed/outbound/$id')

/** Returns the body of every delivery, in the order of its fields (section 10.2). */
const toBody = ({ id, type, createdAt, data }: Schemas['OutboundEvent'], workspaceId: string) => ({
  id,
  type,
  createdAt,
  workspaceId,
  data,
})

/** Side panel of an outbound event: its status, its destinations, the trace and the payload. */
export const OutboundPanel = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const { workspace } = useSession()
  const search = listRoute.useSearch()
  const { id } = route.useParams()
  const query = hooks.useQuery('get', '/v1/outbound-events/{id}', { params: { path: { id } } })
  useLiveRefresh(['delivery'], ['/v1/outbound-events/{id}'])
  const [isSending, setIsSending] = useState(false)
  const event = query.data
  return (
    <Panel
      title={
        event ? (
          <PanelTitle status={<EventStatus event={event} />}>
            <EventIcon type={event.type} />
            {event.type}
          </PanelTitle>
        ) : (
          t('outbound.id')
        )
      }
      onClose={() => void navigate({ to: '/outbound', search })}
    >
      {query.error && !event && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={160} mt="md" />}
      {event && (
        <Fragment key={event.id}>
          <EventHead event={event} send={() => setIsSending(true)} />
          <Section title={t('outbound.destinations')}>
            <Destinations event={event} />
          </Section>
          <Section title={t('trace.title')}>
            <Trace outboundEvent={event.id} />
          </Section>
          <Section title={t('outbound.data')}>
            <Json value={toBody(event, workspace.id)} label={t('outbound.data')} />
          </Section>
          <Section title={t('outbound.details')}>
            <Facts items={{ [t('outbound.eventId')]: <Id value={event.id} full /> }} />
          </Section>
          {isOwner && <SendDialog event={event} opened={isSending} onClose={() => setIsSending(false)} />}
        </Fragment>
      )}
    </Panel>
  )
}
