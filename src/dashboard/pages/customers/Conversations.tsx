import { Anchor, Skeleton, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useChannelKindName } from '../../api/channel-kinds.ts'
import { hooks, type Schemas } from '../../api/client.ts'
import { recordLink } from '../../shell/paths.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import styles from './customers.module.css'

/** Maximum number of conversations shown. A customer has at most one per channel. */
const maxConversations = 20

/** Queries the conversations of a customer, newest activity first. */
export const useConversations = (customerId: string) =>
  hooks.useQuery('get', '/v1/conversations', { params: { query: { customerId, limit: maxConversations } } })

export const Conversations = ({ customerId }: { customerId: string }) => {
  const t = useTranslate()
  const nameOf = useChannelKindName()
  const query = useConversations(customerId)
  const conversations = query.data?.data
  return (
    <Section title={t('customers.conversations')}>
      {query.error && !conversations && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={24} />}
      {conversations?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('customers.conversationsEmpty')}
        </Text>
      )}
      <ul className={styles.lines}>
        {conversations?.map(conversation => (
          <li key={conversation.id}>
            <Anchor
              size="sm"
              renderRoot={(props: object) => <Link {...props} {...recordLink('conversation', conversation.id)} />}
            >
              {nameOf(conversation.channelKind)}
            </Anchor>
            <ConversationStatus conversation={conversation} />
            <Time at={lastMessageAt(conversation)} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Assigning or reading a conversation also changes it, so `updatedAt` is not the time of a message. */
const lastMessageAt = ({ waitingSince, lastMessage, updatedAt }: Schemas['Conversation']): string =>
  waitingSince ?? lastMessage?.createdAt ?? updatedAt

const ConversationStatus = ({ conversation }: { conversation: Schemas['Conversation'] }) => {
  const t = useTranslate()
  if (conversation.waitingSince !== null) return <Status tone="moving">{t('customers.conversation.waiting')}</Status>
  return conversation.status === 'open' ? (
    <Status tone="moving">{t('customers.conversation.open')}</Status>
  ) : (
    <Status tone="off">{t('customers.conversation.closed')}</Status>
  )
}
