import type { ComponentType, SVGProps } from 'react'
import { ForkIcon } from '../../../trace/ForkIcon.tsx'
import { BoltIcon, ClockIcon, DocumentTextIcon, PaperAirplaneIcon } from '../../../ui/icons.ts'
import { BanknotesIcon, ChatBubbleLeftEllipsisIcon, CubeIcon, FlagIcon, TagIcon } from '../../../ui/page-icons.ts'
import type { StepType } from '../definition/types.ts'
import styles from './steps.module.css'

type Icon = ComponentType<SVGProps<SVGSVGElement>>

const icons: Record<StepType | 'start', Icon> = {
  start: BoltIcon,
  send_message: PaperAirplaneIcon,
  send_template: DocumentTextIcon,
  delay: ClockIcon,
  wait_for: ChatBubbleLeftEllipsisIcon,
  condition: ForkIcon,
  set_attribute: TagIcon,
  mark_sale: BanknotesIcon,
  exit: FlagIcon,
}

/** Icon of a step type on its own color. A type from a newer server has a neutral one. */
export const StepIcon = ({ type, small = false }: { type: string; small?: boolean }) => {
  const Icon = Object.hasOwn(icons, type) ? icons[type as StepType] : CubeIcon
  return (
    <span className={styles.icon} data-step={type} data-small={small || undefined} aria-hidden="true">
      <Icon width={small ? 12 : 16} />
    </span>
  )
}
