import { Anchor, Skeleton, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { pathOf } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import styles from './customers.module.css'

/** Maximum number of conversations shown. A customer has at most one per channel. */
const most = 20

export const Conversations = ({ customerId }: { customerId: string }) => {
  const say = useTexts()
  const query = hooks.useQuery('get', '/v1/conversations', { params: { query: { customerId, limit: most } } })
  const all = query.data?.data
  return (
    <Section title={say('customers.conversations')}>
      {query.error && !all && <Failure of={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={24} />}
      {all?.length === 0 && (
        <Text size="sm" c="dimmed">
          {say('customers.conversationsEmpty')}
        </Text>
      )}
      <ul className={styles.lines}>
        {all?.map(conversation => (
          <li key={conversation.id}>
            <Anchor
              size="sm"
              renderRoot={(props: object) => <Link {...props} to={pathOf('conversation', conversation.id)!} />}
            >
              {say(`customers.channel.${conversation.channelKind}`)}
            </Anchor>
            <Standing of={conversation} />
            <Time at={conversation.updatedAt} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

const Standing = ({ of }: { of: Schemas['Conversation'] }) => {
  const say = useTexts()
  if (of.waitingSince !== null) return <Status tone="moving">{say('customers.conversation.waiting')}</Status>
  return of.status === 'open' ? (
    <Status tone="moving">{say('customers.conversation.open')}</Status>
  ) : (
    <Status tone="off">{say('customers.conversation.closed')}</Status>
  )
}
