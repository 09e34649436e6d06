import { Anchor, Button, Group, Skeleton, Text } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useCustomer } from '../../api/customers.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { recordLink } from '../../shell/paths.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Trace } from '../../trace/Trace.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { InboxIcon } from '../../ui/icons.ts'
import { Facts, Panel, Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { tones } from '../../ui/tones.ts'
import { CustomerCell } from '../customers/CustomerCell.tsx'
import { customerName } from '../customers/name.ts'
import { Author } from './Author.tsx'
import { Direction } from './Direction.tsx'
import { withoutCode } from './detail.ts'
import { parseMessageFilters } from './filters.ts'
import styles from './messages.module.css'

type MessageDetail = Schemas['MessageDetail']

const route = getRouteApi('/signed/messages/$id')

/** Side panel of a message: the text, the delivery status and the trace. Replies are written in the conversation. */
export const Message = () => {
  const navigate = useNavigate()
  const { id } = route.useParams()
  const search = parseMessageFilters(route.useSearch())
  const query = hooks.useQuery('get', '/v1/messages/{id}', { params: { path: { id } } })
  useLiveRefresh(['message'], ['/v1/messages/{id}'], news => news.id === id)
  const message = query.data
  return (
    <Panel title={useTitle(message)} onClose={() => void navigate({ to: '/messages', search })}>
      {query.error && !message && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={240} mt="md" />}
      {message && <MessageDetails message={message} />}
    </Panel>
  )
}

const useTitle = (message: MessageDetail | undefined): string => {
  const t = useTranslate()
  const { data: customer, isPending } = useCustomer(message?.customerId ?? null)
  if (!message || isPending) return t('messages.title')
  const name = (customer && customerName(customer)) ?? t('messages.unknownCustomer')
  return t(`messages.title.${message.direction}`, { name })
}

const MessageDetails = ({ message }: { message: MessageDetail }) => {
  const t = useTranslate()
  return (
    <>
      <Group gap="sm" pt="md">
        <Button
          variant="default"
          leftSection={<InboxIcon width={16} />}
          renderRoot={(props: object) => <Link {...props} to="/inbox/$id" params={{ id: message.conversationId }} />}
        >
          {t('messages.open')}
        </Button>
      </Group>
      <div className={styles.bubble} data-direction={message.direction}>
        {message.text === null ? (
          <Text c="dimmed" size="sm">
            {message.type === 'text' ? t('messages.erased') : t('messages.noText', { type: message.type })}
          </Text>
        ) : (
          <bdi className={styles.text}>{message.text}</bdi>
        )}
        <span className={styles.bubbleFoot}>
          <Direction direction={message.direction} />
          <Time at={message.createdAt} />
          {message.direction === 'outbound' && <MessageStatus status={message.status} />}
        </span>
      </div>
      {/* An inbound message has no delivery status. */}
      {message.direction === 'outbound' && (
        <Section title={t('messages.statuses')}>
          <Statuses subject={message} />
        </Section>
      )}
      <Section title={t('trace.title')}>
        <Trace message={message.id} />
      </Section>
      <Section title={t('messages.details')}>
        <Facts
          items={{
            [t('messages.written')]: <Time at={message.createdAt} exact />,
            [t('messages.by')]: <Author author={message.sentBy} />,
            [t('messages.customer')]: (
              <RecordLink kind="customer" id={message.customerId}>
                <CustomerCell id={message.customerId} />
              </RecordLink>
            ),
            [t('messages.channel')]: (
              <RecordLink kind="channel" id={message.channelId}>
                <Channel id={message.channelId} />
              </RecordLink>
            ),
            [t('messages.template')]: message.templateId && (
              <RecordLink kind="template" id={message.templateId}>
                <Template id={message.templateId} />
              </RecordLink>
            ),
            [t('messages.provider')]: message.providerMessageId && <Id value={message.providerMessageId} full />,
            [t('messages.id')]: <Id value={message.id} full />,
          }}
        />
      </Section>
    </>
  )
}

/** Status history. A status set at creation has no entry, so the message's own status is shown. */
const Statuses = ({
  subject: { statuses: recordedStatuses, status, detail, createdAt },
}: {
  subject: MessageDetail
}) => {
  const statuses = recordedStatuses.length > 0 ? recordedStatuses : [{ status, detail, at: createdAt }]
  return (
    <ol className={styles.statuses}>
      {statuses.map(({ status, detail, at }) => (
        <li key={`${status}${at}`}>
          <MessageStatus status={status} />
          <Time at={at} clock />
          {detail !== null && (
            <Text span size="sm">
              <bdi>{withoutCode(detail)}</bdi>
            </Text>
          )}
        </li>
      ))}
    </ol>
  )
}

const isMessageStatus = (status: string): status is MessageDetail['status'] => Object.hasOwn(tones.message, status)

const MessageStatus = ({ status }: { status: string }) => {
  const t = useTranslate()
  return isMessageStatus(status) ? (
    <Status tone={tones.message[status]}>{t(`messages.status.${status}`)}</Status>
  ) : (
    <Status tone="off">{status}</Status>
  )
}

const RecordLink = ({
  kind,
  id,
  children,
}: {
  kind: 'customer' | 'channel' | 'template'
  id: string
  children: ReactNode
}) => (
  <Anchor size="sm" renderRoot={(props: object) => <Link {...props} {...recordLink(kind, id)} />}>
    {children}
  </Anchor>
)

const Channel = ({ id }: { id: string }) => {
  const { data } = hooks.useQuery('get', '/v1/channels/{id}', { params: { path: { id } } })
  return <bdi>{data?.name ?? `…${id.slice(-8)}`}</bdi>
}

const Template = ({ id }: { id: string }) => {
  const { data } = hooks.useQuery('get', '/v1/templates/{id}', { params: { path: { id } } })
  return <bdi>{data?.name ?? `…${id.slice(-8)}`}</bdi>
}
