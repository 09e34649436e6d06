import { useChannelKindName } from '../../api/channel-kinds.ts'
import type { Schemas } from '../../api/client.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Mark } from '../../ui/Mark.tsx'
import styles from './inbox.module.css'

/** Avatar of the customer of a conversation, with a badge of its channel. */
export const CustomerAvatar = ({
  conversation: { customerName, channelKind },
}: {
  conversation: Pick<Schemas['Conversation'], 'customerName' | 'channelKind'>
}) => {
  const kindName = useChannelKindName()
  return (
    <span className={styles.avatar}>
      <Avatar name={customerName} size={32} />
      <span className={styles.channelBadge} role="img" aria-label={kindName(channelKind)}>
        <Mark of={channelKind} size={11} />
      </span>
    </span>
  )
}
