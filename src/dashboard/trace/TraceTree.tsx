import { Link } from '@tanstack/react-router'
import {
  ArrowsRightLeftIcon,
  BoltIcon,
  ChatBubbleLeftRightIcon,
  CheckIcon,
  ClockIcon,
  MegaphoneIcon,
  ShareIcon,
  UserIcon,
} from '../ui/icons.ts'
import { ArrowPathIcon, ArrowUturnLeftIcon, FlagIcon, NoSymbolIcon, XMarkIcon } from '../ui/page-icons.ts'
import { Time } from '../ui/Time.tsx'
import styles from './trace.module.css'
import type { Lane, NodeIcon, TraceNode } from './tree.ts'

const icons: Readonly<Record<NodeIcon, typeof BoltIcon>> = {
  event: BoltIcon,
  run: ShareIcon,
  wait: ClockIcon,
  reply: ArrowUturnLeftIcon,
  skipped: NoSymbolIcon,
  message: ChatBubbleLeftRightIcon,
  campaign: MegaphoneIcon,
  person: UserIcon,
  outbound: ArrowsRightLeftIcon,
  delivered: CheckIcon,
  failed: XMarkIcon,
  pending: ArrowPathIcon,
  end: FlagIcon,
}

/** Vertical trace. Nodes below each other follow in time; what a node causes beside them branches off to the right. */
export const TraceTree = ({ lane, label }: { lane: Lane; label?: string }) => (
  <ol className={styles.lane} aria-label={label}>
    {lane.map(node => (
      <li key={node.key} aria-current={node.isCurrent ? 'step' : undefined}>
        <Node node={node} />
        {node.branches?.map(branch => (
          <div key={branch[0]!.key} className={styles.branch}>
            <TraceTree lane={branch} />
          </div>
        ))}
      </li>
    ))}
  </ol>
)

const Node = ({ node: { icon, text, at, tone = 'accent', to, isFuture, hidesTime } }: { node: TraceNode }) => {
  const Icon = icons[icon]
  return (
    <div className={styles.node}>
      <span className={styles.icon} data-tone={tone}>
        <Icon width={14} aria-hidden="true" />
      </span>
      <span className={styles.text}>
        {to ? (
          <Link to={to} className={styles.link}>
            <bdi>{text}</bdi>
          </Link>
        ) : (
          <bdi>{text}</bdi>
        )}
      </span>
      {at && !hidesTime && (
        <span className={styles.time}>
          <Time at={at} clock />
          {isFuture && (
            <>
              {' · '}
              <Time at={at} />
            </>
          )}
        </span>
      )}
    </div>
  )
}
