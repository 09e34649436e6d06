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

/** Status of a campaign as an icon with its word, and a text after it. */
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

/** Status with its time, as in “Completed 5 days ago”. A draft and a running campaign have a label at their time. */
export const StatusWithTime = ({ campaign }: { campaign: Campaign }) => {
  const { status, scheduledAt, finishedAt } = campaign
  const statusTime = status === 'scheduled' ? scheduledAt : finishedAt
  return (
    <CampaignStatus status={status}>
      {statusTime === null ? <CampaignTime campaign={campaign} /> : <Time at={statusTime} />}
    </CampaignStatus>
  )
}

/** Labelled time of a campaign: its start, or its creation before that. */
export const CampaignTime = ({
  campaign: { status, scheduledAt, startedAt, finishedAt, createdAt },
}: {
  campaign: Campaign
}) => {
  const t = useTranslate()
  const [label, at] =
    status === 'scheduled' && scheduledAt !== null
      ? (['scheduledAt', scheduledAt] as const)
      : startedAt !== null
        ? (['startedAt', startedAt] as const)
        : // A campaign that was cancelled before its start.
          finishedAt !== null
          ? (['finishedAt', finishedAt] as const)
          : (['created', createdAt] as const)
  return (
    <span className={styles.quiet}>
      {t(`campaigns.${label}`)} <Time at={at} />
    </span>
  )
}
