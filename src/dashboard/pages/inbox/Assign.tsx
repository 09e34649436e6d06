import { Button, Menu, Text } from '@mantine/core'
import type { RefObject } from 'react'
import { useSession } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { CheckIcon, ChevronDownIcon } from '../../ui/icons.ts'
import { UserPlusIcon } from '../../ui/page-icons.ts'
import { toAssignees, useTeam } from './queries.ts'
import styles from './thread.module.css'

const outsideClickEvents = ['mousedown', 'touchstart']

/** Menu that shows the assignee of a conversation and changes it. It opens with the focus on the first member. */
export const Assign = ({
  assigneeId,
  button,
  opened,
  onChange,
  onAssign,
}: {
  assigneeId: string | null
  /** Gets the focus when the menu closes, if it had the focus before. */
  button: RefObject<HTMLButtonElement | null>
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
  const fullName = (userId: string) => (userId === user.id ? user.name || user.email : memberName(userId))
  return (
    <Menu
      // The focus goes to the first member, so the menu waits for the members.
      opened={opened && team.length > 0}
      onChange={onChange}
      position="bottom-end"
      width={240}
      withinPortal={false}
      returnFocus
      // The focus starts on a member, so that Enter assigns.
      withInitialFocusPlaceholder={false}
      // No key events: the key that opened the menu would close it again.
      clickOutsideEvents={outsideClickEvents}
    >
      <Menu.Target>
        <Button
          ref={button}
          className={styles.assignee!}
          data-assigned={assigneeId !== null || undefined}
          variant="default"
          leftSection={
            assigneeId === null ? <UserPlusIcon width={16} /> : <Avatar name={fullName(assigneeId)} size={20} />
          }
          rightSection={<ChevronDownIcon width={12} aria-hidden="true" />}
          aria-label={t('inbox.assignLabel', { name: memberName(assigneeId) })}
          title={(assigneeId && fullName(assigneeId)) || undefined}
        >
          <bdi className={styles.assigneeName}>{assigneeId === null ? t('inbox.assign') : memberName(assigneeId)}</bdi>
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {[...toAssignees(team).map(({ userId }) => userId), null].map((userId, index) => (
          <Menu.Item
            key={userId ?? ''}
            data-autofocus={index === 0 || undefined}
            aria-current={userId === assigneeId}
            leftSection={<Avatar name={userId && fullName(userId)} size={20} />}
            rightSection={userId === assigneeId && <CheckIcon width={14} aria-hidden="true" />}
            onClick={() => userId !== assigneeId && onAssign(userId)}
          >
            <Text size="sm" truncate component="span">
              {userId === user.id ? t('team.you', { name: fullName(userId) }) : memberName(userId)}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
