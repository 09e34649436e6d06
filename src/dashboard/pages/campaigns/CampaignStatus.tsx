import type { ReactNode } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { CheckCircleIcon, DocumentTextIcon, PaperAirplaneIcon, PauseIcon } from '../../ui/icons.ts'
import { CalendarIcon, NoSymbolIcon } from '../../ui/page-icons.ts'
import { Time } from '../../ui/Time.tsx'
import { tones } from '../../ui/tones.ts'
import styles from './campaigns.module.css'
import type { Campaign, CampaignStatus as Status } from './status.ts'

const icons = {
  draft: DocumentTextIcon,
  scheduled: CalendarIcon,
  running: PaperAirplaneIcon,
  paused: PauseIcon,
  completed: CheckCircleIcon,
  cancelled: NoSymbolIcon,
} as const

/** Status of a campaign as an icon with its word, and its time or template after it. */
export const CampaignStatus = ({ status, children }: { status: Status; children?: ReactNode }) => {
  const t = useTranslate()
  const Icon = icons[status]
  return (
    <span className={styles.statusLabel} data-tone={tones.campaign[status]}>
      <span>
        <Icon width={16} aria-hidden="true" />
        {t(`campaigns.status.${status}`)}
      </span>
      {children && <span className={styles.quiet}>{children}</span>}
    </span>
  )
}

/** Labelled time at which a campaign was created, by which the list is sorted. */
export const CreationTime = ({ campaign: { createdAt } }: { campaign: Campaign }) => {
  const t = useTranslate()
  return (
    <span className={styles.quiet}>
      {t('campaigns.created')} <Time at={createdAt} />
    </span>
  )
}
