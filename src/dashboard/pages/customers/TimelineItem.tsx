import { Anchor, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { type RecordLink, recordLink } from '../../shell/paths.ts'
import { isText, useNumbers, useTranslate } from '../../texts/index.tsx'
import { BoltIcon, ShareIcon } from '../../ui/icons.ts'
import { ArrowDownLeftIcon, ArrowUpRightIcon, BanknotesIcon, ShieldCheckIcon } from '../../ui/page-icons.ts'
import { Status } from '../../ui/Status.tsx'
import { Time, useDuration } from '../../ui/Time.tsx'
import { getTone, tones } from '../../ui/tones.ts'
import { senderName } from '../events/filters.ts'
import { withoutCode } from '../messages/detail.ts'
import type { Entry } from './activity.ts'
import styles from './customers.module.css'

type ItemOf<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>

/** Row of the timeline. It links to its record. */
export const TimelineItem = ({ item }: { item: Entry }) => {
  switch (item.kind) {
    case 'event':
      return <EventItem item={item} />
    case 'message':
      return <MessageItem item={item} />
    case 'run':
      return <RunItem item={item} />
    case 'sale':
      return <SaleItem sale={item.sale} />
    default:
      return <ConsentItem item={item} />
  }
}

const icons = {
  event: BoltIcon,
  inbound: ArrowDownLeftIcon,
  outbound: ArrowUpRightIcon,
  run: ShareIcon,
  sale: BanknotesIcon,
  consent: ShieldCheckIcon,
}

const Row = ({
  kind,
  at,
  title,
  children,
}: {
  kind: keyof typeof icons
  at: string
  title: ReactNode
  children?: ReactNode
}) => (
  <div className={styles.item}>
    <ItemIcon kind={kind} />
    <div>
      <div className={styles.itemTitle}>{title}</div>
      {children}
    </div>
    <span className={styles.itemTime}>
      <Time at={at} />
    </span>
  </div>
)

const ItemIcon = ({ kind }: { kind: keyof typeof icons }) => {
  const t = useTranslate()
  const Icon = icons[kind]
  return (
    <span className={styles.itemIcon} data-kind={kind}>
      <Icon width={14} aria-hidden="true" />
      <VisuallyHidden>
        {t(`customers.item.${kind === 'inbound' || kind === 'outbound' ? 'message' : kind}`)}
      </VisuallyHidden>
    </span>
  )
}

const DetailLink = ({ link, children }: { link: RecordLink; children: ReactNode }) => (
  <Anchor size="sm" inherit renderRoot={(props: object) => <Link {...props} {...link} />}>
    {children}
  </Anchor>
)

/** Link to the record of a row. Its area is the whole row, so that its text needs no color. */
const RowLink = ({ link, children }: { link: RecordLink; children: ReactNode }) => (
  <Link className={styles.rowLink} {...link}>
    {children}
  </Link>
)

const EventItem = ({ item }: { item: ItemOf<'event'> }) => {
  const t = useTranslate()
  return (
    <Row
      kind="event"
      at={item.at}
      title={
        <RowLink link={recordLink('event', item.id)}>
          <bdi>{item.type}</bdi>
        </RowLink>
      }
    >
      <div className={styles.quiet}>
        <bdi>{senderName(item.sender)}</bdi>
        {' · '}
        {item.matchedWorkflows === 0
          ? t('customers.noMatchingWorkflow')
          : t('customers.matchingWorkflows', { count: item.matchedWorkflows })}
      </div>
    </Row>
  )
}

const MessageItem = ({ item }: { item: ItemOf<'message'> }) => {
  const t = useTranslate()
  const valueText = useValueText()
  return (
    <Row
      kind={item.direction}
      at={item.at}
      title={
        <RowLink link={recordLink('message', item.id)}>
          <bdi className={styles.messages}>{item.text ?? t('customers.noText')}</bdi>
        </RowLink>
      }
    >
      <div className={styles.quiet}>
        {t(`customers.${item.direction}`)}
        {/* A received message needs no status. */}
        {item.status !== 'received' && (
          <>
            {' · '}
            <Status tone={getTone(tones.message, item.status)}>{valueText('customers.message', item.status)}</Status>
          </>
        )}
        <span className={styles.inboxLink}>
          {' · '}
          <DetailLink link={recordLink('conversation', item.conversationId)}>{t('customers.openInInbox')}</DetailLink>
        </span>
      </div>
      {item.detail && <div className={styles.quiet}>{withoutCode(item.detail)}</div>}
    </Row>
  )
}

/** Shortest duration of a run that is shown. A run that did not wait takes less. */
const minShownDurationMs = 1_000

const RunItem = ({ item }: { item: ItemOf<'run'> }) => {
  const t = useTranslate()
  const valueText = useValueText()
  const duration = useDuration()
  const status = valueText('workflows.run', item.status)
  const end = item.endReason && item.endReason !== 'completed' ? valueText('workflows.end', item.endReason) : status
  const durationMs = item.endedAt ? new Date(item.endedAt).getTime() - new Date(item.at).getTime() : null
  return (
    <Row
      kind="run"
      at={item.at}
      title={
        <>
          <RowLink link={recordLink('run', item.id)}>
            <bdi>{item.workflowName ?? t('customers.deletedWorkflow')}</bdi>
          </RowLink>{' '}
          <span className={styles.quiet}>{t('customers.version', { version: item.version })}</span>
        </>
      }
    >
      <div className={styles.quiet}>
        <Status tone={getTone(tones.run, item.status)}>{status}</Status>
        {end !== status && ` · ${end}`}
        {durationMs !== null &&
          durationMs >= minShownDurationMs &&
          ` ${t('customers.after', { time: duration(durationMs) })}`}
      </div>
    </Row>
  )
}

const SaleItem = ({ sale }: { sale: Schemas['Sale'] }) => {
  const t = useTranslate()
  const number = useNumbers()
  return (
    <Row
      kind="sale"
      at={sale.createdAt}
      title={
        <RowLink link={recordLink('sale', sale.id)}>
          {number(sale.amount, { style: 'currency', currency: sale.currency })}
        </RowLink>
      }
    >
      <div className={styles.quiet}>
        {t('customers.item.sale')}
        {sale.voidedAt && (
          <>
            {' · '}
            <Status tone="off">{t('customers.voided')}</Status>
          </>
        )}
        {sale.note && (
          <>
            {' · '}
            <bdi>{sale.note}</bdi>
          </>
        )}
      </div>
    </Row>
  )
}

const ConsentItem = ({ item }: { item: ItemOf<'opt_in' | 'opt_out' | 'lift'> }) => {
  const t = useTranslate()
  return (
    <Row
      kind="consent"
      at={item.at}
      title={<Status tone={tones.consent[item.kind]}>{t(`customers.kind.${item.kind}`)}</Status>}
    >
      {item.words && <bdi className={styles.messages}>{item.words}</bdi>}
      <div className={styles.quiet}>
        {item.source === 'dashboard' ? t('customers.source.member') : t(`customers.source.${item.source}`)}
        {item.eventId && (
          <>
            {', '}
            <DetailLink link={recordLink('event', item.eventId)}>{t('customers.withEvent')}</DetailLink>
          </>
        )}
      </div>
    </Row>
  )
}

/** Returns the text of a status. A status without a text, from a newer server, is shown by its API name. */
const useValueText = (): ((group: string, value: string) => string) => {
  const t = useTranslate()
  return (group, value) => {
    const id = `${group}.${value}`
    return isText(id) ? t(id) : value
  }
}
