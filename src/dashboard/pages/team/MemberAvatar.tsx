import { Avatar } from '../../ui/Avatar.tsx'
import { CommandLineIcon } from '../../ui/page-icons.ts'
import { type Member, memberName } from './members.ts'
import styles from './team.module.css'

/** Initials of a person, or the icon of a service account. Decorative, beside the name. */
export const MemberAvatar = ({ member, size = 24 }: { member: Member; size?: 24 | 40 }) =>
  member.kind === 'service' ? (
    <span className={styles.machine} data-size={size}>
      <CommandLineIcon width={size * 0.6} aria-hidden="true" />
    </span>
  ) : (
    <Avatar name={member.name && memberName(member)} size={size} />
  )
