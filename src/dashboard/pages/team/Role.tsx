import { Radio, Stack } from '@mantine/core'
import { useTranslate } from '../../texts/index.tsx'
import { ChatBubbleLeftRightIcon, KeyIcon } from '../../ui/icons.ts'
import { type Member, roles } from './members.ts'
import styles from './team.module.css'

type Role = Member['role']

const icons = { owner: KeyIcon, agent: ChatBubbleLeftRightIcon }

/** Name of a role with its icon. */
export const RoleName = ({ role }: { role: Role }) => {
  const t = useTranslate()
  const Icon = icons[role]
  return (
    <span className={styles.role} data-role={role}>
      <Icon width={16} aria-hidden="true" />
      {t(`team.role.${role}`)}
    </span>
  )
}

/** Choice of a role, with the permissions of each. `label` is shown, `name` is for screen readers only. */
export const RoleChoice = ({
  label,
  name,
  value,
  onChange,
}: {
  label?: string
  name?: string
  value: Role
  onChange: (role: Role) => void
}) => {
  const t = useTranslate()
  return (
    <Radio.Group
      label={label}
      aria-label={name}
      value={value}
      onChange={selected => onChange(roles.find(role => role === selected) ?? value)}
    >
      <Stack gap={12} mt={label ? 'xs' : 0}>
        {roles.map(role => (
          <Radio
            key={role}
            className={styles.roleChoice}
            value={role}
            label={<RoleName role={role} />}
            description={t(`team.roleHint.${role}`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
