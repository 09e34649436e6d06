import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { recordLink } from '../../shell/paths.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { InboxIcon } from '../../ui/icons.ts'
import { PanelLead } from '../../ui/Panel.tsx'
import { Time } from '../../ui/Time.tsx'
import { Clamp } from '../../ui/text/Clamp.tsx'
import ui from '../../ui/ui.module.css'
import { CustomerCell } from '../customers/CustomerCell.tsx'
import { customerIdOf, useEndpointNames } from './names.tsx'
import styles from './outbound.module.css'
import { useSummary } from './useSummary.ts'

type Event = Schemas['OutboundEventDetail']

/** Lines of a summary before “Show more”. It can be the text of a message. */
const summaryLines = 3

/** Customer or other subject, age, summary and actions of a webhook event. */
export const EventHead = ({ event, send }: { event: Event; send: () => void }) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const customerId = customerIdOf(event)
  const summary = useSummary()(event, false)
  const conversationId = textOf(event, 'conversationId')
  return (
    <>
      <PanelLead>
        {customerId && (
          <Link {...recordLink('customer', customerId)} className={ui.inLink}>
            <CustomerCell id={customerId} />
          </Link>
        )}
        <Subjects event={event} />
        <span className={ui.quietCell}>
          <Time at={event.createdAt} />
        </span>
      </PanelLead>
      {summary && (
        <div className={styles.summary}>
          <Clamp lines={summaryLines}>
            <bdi>{summary}</bdi>
          </Clamp>
        </div>
      )}
      {(isOwner || conversationId) && (
        <Group gap="sm" pt="md">
          {isOwner && (
            <Button variant="default" onClick={send}>
              {t('outbound.send')}
            </Button>
          )}
          {conversationId && (
            <Button
              variant="default"
              leftSection={<InboxIcon width={16} />}
              renderRoot={(props: object) => <Link {...props} {...recordLink('conversation', conversationId)} />}
            >
              {t('messages.open')}
            </Button>
          )}
        </Group>
      )}
    </>
  )
}

/** Fields with the ID of a record, and those with its name. A test names its endpoint among the destinations. */
const subjects = [
  ['webhookId', 'webhook', ['name', 'host']],
  ['campaignId', 'campaign', ['name']],
  ['channelId', 'channel', ['name']],
  ['runId', 'run', ['workflowName']],
] as const

/** Links to the other records that the event is about. */
const Subjects = ({ event }: { event: Event }) => {
  const endpointName = useEndpointNames()
  return subjects.flatMap(([field, kind, nameFields]) => {
    const id = textOf(event, field)
    const [storedName] = nameFields.flatMap(name => textOf(event, name) ?? [])
    const name = id && storedName && ((kind === 'webhook' && endpointName(id)) || storedName)
    return name
      ? [
          <Link key={field} {...recordLink(kind, id)} className={ui.inLink}>
            <bdi>{name}</bdi>
          </Link>,
        ]
      : []
  })
}

const textOf = ({ data }: Event, field: string): string | null => {
  const value = data[field]
  return typeof value === 'string' && value !== '' ? value : null
}
