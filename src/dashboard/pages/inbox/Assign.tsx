import { Button, Menu } from '@mantine/core'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import styles from './inbox.module.css'
import { useTeam } from './queries.ts'

const clicks = ['mousedown', 'touchstart']

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
  const say = useTexts()
  const { user } = useSession()
  const team = useTeam()
  const nameOf = (userId: string | null): string => {
    if (userId === null) return say('inbox.unassigned')
    return userId === user.id ? say('inbox.me') : (team.find(one => one.userId === userId)?.name ?? '…')
  }
  return (
    <Menu
      opened={opened}
      onChange={onChange}
      position="bottom-end"
      width={220}
      withinPortal={false}
      // No key events: the key that opened the menu would close it again.
      clickOutsideEvents={clicks}
    >
      <Menu.Target>
        <Button
          className={styles.assignee!}
          variant="default"
          aria-label={say('inbox.assignLabel', { name: nameOf(assigneeId) })}
        >
          {assigneeId === null ? say('inbox.assign') : nameOf(assigneeId)} ▾
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {[...team.map(({ userId }) => userId), null].map(userId => (
          <Menu.Item
            key={userId ?? ''}
            aria-current={userId === assigneeId}
            onClick={() => userId !== assigneeId && onAssign(userId)}
          >
            {nameOf(userId)}
            {userId === assigneeId && ' ✓'}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
