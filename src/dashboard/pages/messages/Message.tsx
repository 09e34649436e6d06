import { Anchor, Button, Skeleton, Text } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useFresh } from '../../api/useLive.ts'
import { pathOf } from '../../shell/paths.ts'
import { StoryOf } from '../../story/StoryOf.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { Facts, Section } from '../../ui/Panel.tsx'
import { Status, type Tone } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { CustomerName } from '../customers/CustomerName.tsx'
import { customerName } from '../customers/name.ts'
import styles from './messages.module.css'

type Known = Schemas['MessageDetail']

/** Message page: the text, the delivery status and the trace. Replies are written in the conversation. */
export const Message = () => {
  const say = useTexts()
  const { id } = useParams({ strict: false }) as { id: string }
  const query = hooks.useQuery('get', '/v1/messages/{id}', { params: { path: { id } } })
  useFresh(['message'], ['/v1/messages/{id}'], news => news.id === id)
  const message = query.data
  const title = useTitle(message)
  return (
    <Page
      title={title}
      actions={
        message && (
          <Button
            variant="default"
            renderRoot={(props: object) => <Link {...props} to="/inbox/$id" params={{ id: message.conversationId }} />}
          >
            {say('messages.open')}
          </Button>
        )
      }
    >
      <Body>
        <div className={styles.column}>
          {query.error && !message && <Failure of={query.error} retry={() => void query.refetch()} />}
          {query.isPending && <Skeleton height={240} />}
          {message && <Whole message={message} />}
        </div>
      </Body>
    </Page>
  )
}

const useTitle = (message: Known | undefined): string => {
  const say = useTexts()
  const { data: customer, isPending } = hooks.useQuery(
    'get',
    '/v1/customers/{id}',
    { params: { path: { id: message?.customerId ?? '' } } },
    { enabled: message !== undefined, staleTime: 60_000 },
  )
  if (!message || isPending) return say('messages.title')
  const name = (customer && customerName(customer)) ?? say('messages.somebody')
  return say(`messages.title.${message.direction}`, { name })
}

const Whole = ({ message }: { message: Known }) => {
  const say = useTexts()
  return (
    <>
      <Section title={say('messages.text')}>
        {message.text === null ? (
          <Text c="dimmed">
            {message.type === 'text' ? say('messages.erased') : say('messages.noText', { type: message.type })}
          </Text>
        ) : (
          <bdi className={styles.text}>{message.text}</bdi>
        )}
      </Section>
      {/* An inbound message has no delivery status. */}
      {message.direction === 'outbound' && (
        <Section title={say('messages.statuses')}>
          <Statuses of={message} />
        </Section>
      )}
      <Section title={say('story.title')}>
        <StoryOf message={message.id} />
      </Section>
      <Section title={say('messages.about')}>
        <Facts
          of={{
            [say('messages.written')]: <Time at={message.createdAt} exact />,
            [say('messages.by')]: message.sentBy && <By of={message.sentBy} />,
            [say('messages.customer')]: (
              <To kind="customer" id={message.customerId}>
                <CustomerName id={message.customerId} />
              </To>
            ),
            [say('messages.channel')]: (
              <To kind="channel" id={message.channelId}>
                <Channel id={message.channelId} />
              </To>
            ),
            [say('messages.template')]: message.templateId && (
              <To kind="template" id={message.templateId}>
                …{message.templateId.slice(-8)}
              </To>
            ),
            [say('messages.provider')]: message.providerMessageId && <Id value={message.providerMessageId} whole />,
            [say('messages.id')]: <Id value={message.id} whole />,
          }}
        />
      </Section>
    </>
  )
}

/** Status history. A status set at creation has no entry, so the message's own status is shown. */
const Statuses = ({ of: { statuses: known, status, detail, createdAt } }: { of: Known }) => {
  const statuses = known.length > 0 ? known : [{ status, detail, at: createdAt }]
  return (
    <ol className={styles.statuses}>
      {statuses.map(({ status, detail, at }) => (
        <li key={`${status}${at}`}>
          <StatusOf status={status} />
          <Time at={at} clock />
          {detail !== null && (
            <Text span size="sm">
              <bdi>{detail}</bdi>
            </Text>
          )}
        </li>
      ))}
    </ol>
  )
}

const tones: Record<Known['status'], Tone> = {
  queued: 'moving',
  sent: 'moving',
  delivered: 'done',
  read: 'done',
  failed: 'failed',
  skipped: 'off',
  unknown: 'care',
  received: 'done',
}

const isKnown = (status: string): status is Known['status'] => status in tones

const StatusOf = ({ status }: { status: string }) => {
  const say = useTexts()
  return isKnown(status) ? (
    <Status tone={tones[status]}>{say(`messages.status.${status}`)}</Status>
  ) : (
    <Status tone="off">{status}</Status>
  )
}

const By = ({ of: { type, id } }: { of: NonNullable<Known['sentBy']> }) => {
  const say = useTexts()
  const text = say(`messages.by.${type}`)
  return type === 'user' ? text : <To kind={type} id={id} text={text} />
}

const To = ({ kind, id, text, children }: { kind: string; id: string; text?: string; children?: ReactNode }) => (
  <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to={pathOf(kind, id) ?? '/'} />}>
    {text ?? children}
  </Anchor>
)

const Channel = ({ id }: { id: string }) => {
  const { data } = hooks.useQuery('get', '/v1/channels/{id}', { params: { path: { id } } })
  return <bdi>{data?.name ?? `…${id.slice(-8)}`}</bdi>
}
