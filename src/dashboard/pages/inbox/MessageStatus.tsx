import type { Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { CheckCircleIcon, CheckIcon, ClockIcon, ExclamationTriangleIcon } from '../../ui/icons.ts'
import { EyeIcon, NoSymbolIcon, XCircleIcon } from '../../ui/page-icons.ts'
import { tones } from '../../ui/tones.ts'
import styles from './thread.module.css'

const icons = {
  queued: ClockIcon,
  sent: CheckIcon,
  delivered: CheckCircleIcon,
  read: EyeIcon,
  failed: XCircleIcon,
  skipped: NoSymbolIcon,
  unknown: ExclamationTriangleIcon,
  received: CheckIcon,
} as const

/** Status of a message as an icon with its word. */
export const MessageStatus = ({ status }: { status: Schemas['Message']['status'] }) => {
  const t = useTranslate()
  const Icon = icons[status]
  return (
    <span className={styles.status} data-tone={tones.message[status]}>
      <Icon width={14} aria-hidden="true" />
      {t(`inbox.status.${status}`)}
    </span>
  )
}
