import { Link } from '@tanstack/react-router'
import type { ComponentType, SVGProps } from 'react'
import { eventIcon } from '../pages/outbound/EventIcon.tsx'
import { NextAttempt } from '../pages/webhooks/delivery/NextAttempt.tsx'
import { withoutOverrides } from '../texts/isolate.ts'
import {
  BoltIcon,
  ChatBubbleLeftRightIcon,
  CheckIcon,
  ClockIcon,
  MegaphoneIcon,
  ShareIcon,
  UserIcon,
} from '../ui/icons.ts'
import {
  ArrowPathIcon,
  ArrowUturnLeftIcon,
  BanknotesIcon,
  FlagIcon,
  NoSymbolIcon,
  TagIcon,
  XMarkIcon,
} from '../ui/page-icons.ts'
import { Time } from '../ui/Time.tsx'
import { ForkIcon } from './ForkIcon.tsx'
import type { Lane, NodeIcon, TraceNode } from './node.ts'
import styles from './trace.module.css'

const icons: Readonly<Record<Exclude<NodeIcon, 'outbound'>, ComponentType<SVGProps<SVGSVGElement>>>> = {
  event: BoltIcon,
  run: ShareIcon,
  wait: ClockIcon,
  reply: ArrowUturnLeftIcon,
  skipped: NoSymbolIcon,
  message: ChatBubbleLeftRightIcon,
  campaign: MegaphoneIcon,
  person: UserIcon,
  delivered: CheckIcon,
  failed: XMarkIcon,
  pending: ArrowPathIcon,
  branch: ForkIcon,
  sale: BanknotesIcon,
  change: TagIcon,
  end: FlagIcon,
}

/** Vertical trace. Time runs downwards. The effects of a node are branches to its right. */
export const TraceTree = ({
  lane,
  label,
  startedAt,
}: {
  lane: Lane
  label?: string
  /** Time of the first node of the trace. Later nodes show the time since it. Undefined in the first lane. */
  startedAt?: string | null | undefined
}) => (
  <ol className={styles.lane} aria-label={label}>
    {lane.map((node, index) => (
      <li key={node.key} aria-current={node.isCurrent ? 'step' : undefined}>
        <Node node={node} after={startedAt ?? (index > 0 ? lane[0]?.at : undefined)} />
        {node.branches?.map(branch => (
          <div key={branch[0]!.key} className={styles.branch}>
            <TraceTree lane={branch} startedAt={startedAt ?? lane[0]?.at} />
          </div>
        ))}
      </li>
    ))}
  </ol>
)

const Node = ({
  node: { icon, text, at, tone = 'accent', link, isFuture, next },
  after,
}: {
  node: TraceNode
  after: string | null | undefined
}) => {
  const Icon = icon === 'outbound' ? eventIcon(text) : icons[icon]
  const label = <bdi>{withoutOverrides(text)}</bdi>
  return (
    <div className={styles.node}>
      <span className={styles.icon} data-tone={tone}>
        <Icon width={14} aria-hidden="true" />
      </span>
      <span className={styles.text}>
        {link ? (
          <Link {...link} className={styles.link}>
            {label}
          </Link>
        ) : next ? (
          <NextAttempt {...next} />
        ) : (
          label
        )}
        {at && isFuture && (
          <>
            {' '}
            <Time at={at} clock />
            {' ('}
            <Time at={at} />
            {')'}
          </>
        )}
      </span>
      {at && !isFuture && (
        <span className={styles.time}>
          <Time at={at} clock after={after} />
        </span>
      )}
    </div>
  )
}
