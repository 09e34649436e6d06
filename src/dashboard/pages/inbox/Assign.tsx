import { Button, Menu } from '@mantine/core'
import { useSession } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import styles from './inbox.module.css'
import { useTeam } from './queries.ts'

const outsideClickEvents = ['mousedown', 'touchstart']

/** Menu that shows the assignee of a conversation and changes it. */
export const Assign = ({
  assigneeId,
  opened,
  onChange,
  onAssign,
}: {
  assigneeId: string | null
  opened: boolean
  onChange: (opened: boolean) => void
  onAssign: (userId: string | null) => void
}) => {
  const t = useTranslate()
  const { user } = useSession()
  const team = useTeam()
  const memberName = (userId: string | null): string => {
    if (userId === null) return t('inbox.unassigned')
    return userId === user.id ? t('inbox.me') : (team.find(one => one.userId === userId)?.name ?? '…')
  }
  return (
    <Menu
      opened={opened}
      onChange={onChange}
      position="bottom-end"
      width={220}
      withinPortal={false}
      // No key events: the key that opened the menu would close it again.
      clickOutsideEvents={outsideClickEvents}
    >
      <Menu.Target>
        <Button
          className={styles.assignee!}
          variant="default"
          aria-label={t('inbox.assignLabel', { name: memberName(assigneeId) })}
        >
          {assigneeId === null ? t('inbox.assign') : memberName(assigneeId)} ▾
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {[...team.map(({ userId }) => userId), null].map(userId => (
          <Menu.Item
            key={userId ?? ''}
            aria-current={userId === assigneeId}
            onClick={() => userId !== assigneeId && onAssign(userId)}
          >
            {memberName(userId)}
            {userId === assigneeId && ' ✓'}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
