import { Anchor, Button, Skeleton, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useIntl } from 'react-intl'
import type { Schemas } from '../../api/client.ts'
import { toRows } from '../../api/pages.ts'
import { recordPath } from '../../shell/paths.ts'
import { isText, useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { BoltIcon, ShareIcon } from '../../ui/icons.ts'
import { Section } from '../../ui/Panel.tsx'
import { ArrowDownLeftIcon, ArrowUpRightIcon, ShieldCheckIcon } from '../../ui/page-icons.ts'
import { Status } from '../../ui/Status.tsx'
import { Time, useDuration } from '../../ui/Time.tsx'
import { getTone, tones } from '../../ui/tones.ts'
import { useZone } from '../../ui/zone.ts'
import { activityKinds, kindOf } from './activity.ts'
import styles from './customers.module.css'
import { useTimeline } from './useTimeline.ts'

type Item = Schemas['TimelineItem']
type ItemOf<Kind extends Item['kind']> = Extract<Item, { kind: Kind }>

/** Timeline of a customer, newest first, with a heading for each day. */
export const Timeline = ({ customerId }: { customerId: string }) => {
  const t = useTranslate()
  const formatDay = useFormatDay()
  const query = useTimeline(customerId)
  const [filter, setFilter] = useState<Filter>('all')
  const { rows, failure, retry, loadMore: more, loadingMore } = toRows(query)
  const shown = rows?.filter(({ kind }) => filter === 'all' || kindOf(kind) === filter) ?? []
  const days = Object.entries(Object.groupBy(shown, item => formatDay(item.at)))
  return (
    <Section title={t('customers.timeline')} actions={<KindFilter value={filter} onChange={setFilter} />}>
      {failure && !rows ? <Failure error={failure} retry={retry} /> : null}
      {!rows && !failure && (
        <Stack gap="sm" aria-busy="true">
          {[0, 1, 2, 3, 4, 5].map(timelineItem => (
            <Skeleton key={timelineItem} height={36} />
          ))}
        </Stack>
      )}
      {rows?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('customers.timelineEmpty')}
        </Text>
      )}
      {rows !== undefined && rows.length > 0 && shown.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('customers.timelineFiltered', { count: rows.length })}
        </Text>
      )}
      {days.map(([day, items]) => (
        <section key={day} aria-label={day} className={styles.day}>
          <p className={styles.dayName}>{day}</p>
          <ol className={styles.timeline}>
            {items!.map(item => (
              <li key={item.id}>
                <TimelineItem item={item} />
              </li>
            ))}
          </ol>
        </section>
      ))}
      {rows && failure ? <Failure error={failure} retry={retry} /> : null}
      {more && (
        <Button variant="default" mt="sm" loading={loadingMore} onClick={more}>
          {t('list.more')}
        </Button>
      )}
    </Section>
  )
}

const filters = ['all', ...activityKinds] as const
type Filter = (typeof filters)[number]

/** Shows only loaded entries of one kind. The API has no filter. */
const KindFilter = ({ value, onChange }: { value: Filter; onChange: (value: Filter) => void }) => {
  const t = useTranslate()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has form semantics.
    <div className={styles.kinds} role="group" aria-label={t('customers.timelineFilter')}>
      {filters.map(one => (
        <UnstyledButton
          key={one}
          className={styles.kindButton}
          aria-pressed={one === value}
          onClick={() => onChange(one)}
        >
          {t(`customers.filter.${one}`)}
        </UnstyledButton>
      ))}
    </div>
  )
}

/** Formats a day as a heading in the time zone of the reader. */
const useFormatDay = (): ((at: string) => string) => {
  const { locale } = useIntl()
  const format = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: useZone(),
  })
  return at => format.format(new Date(at))
}

const TimelineItem = ({ item }: { item: Item }) => {
  switch (item.kind) {
    case 'event':
      return <EventItem item={item} />
    case 'message':
      return <MessageItem item={item} />
    case 'run':
      return <RunItem item={item} />
    default:
      return <ConsentItem item={item} />
  }
}

const icons = {
  event: BoltIcon,
  inbound: ArrowDownLeftIcon,
  outbound: ArrowUpRightIcon,
  run: ShareIcon,
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

const RecordLink = ({ path, children }: { path: string; children: ReactNode }) => (
  <Anchor size="sm" inherit renderRoot={(props: object) => <Link {...props} to={path} />}>
    {children}
  </Anchor>
)

/** Link to the record of a row. Its area is the whole row, so that its text needs no color. */
const RowLink = ({ path, children }: { path: string; children: ReactNode }) => (
  <Link className={styles.rowLink} to={path}>
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
        <RowLink path={recordPath('event', item.id)!}>
          <bdi>{item.type}</bdi>
        </RowLink>
      }
    >
      <div className={styles.quiet}>
        <bdi>{item.sender}</bdi>
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
        <RowLink path={recordPath('message', item.id)!}>
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
          <RecordLink path={recordPath('conversation', item.conversationId)!}>{t('customers.openInInbox')}</RecordLink>
        </span>
      </div>
      {item.detail && <div className={styles.quiet}>{item.detail}</div>}
    </Row>
  )
}

/** Shortest duration of a run that is shown. A run that did not wait takes less. */
const minShownDurationMs = 1_000

const RunItem = ({ item }: { item: ItemOf<'run'> }) => {
  const t = useTranslate()
  const valueText = useValueText()
  const duration = useDuration()
  const durationMs = item.endedAt ? new Date(item.endedAt).getTime() - new Date(item.at).getTime() : null
  return (
    <Row
      kind="run"
      at={item.at}
      title={
        <>
          <RowLink path={recordPath('run', item.id)!}>
            <bdi>{item.workflowName ?? t('customers.deletedWorkflow')}</bdi>
          </RowLink>{' '}
          <span className={styles.quiet}>{t('customers.version', { version: item.version })}</span>
        </>
      }
    >
      <div className={styles.quiet}>
        {/* The end reason says more than “Done”. */}
        <Status tone={item.endReason === 'exited' ? 'off' : getTone(tones.run, item.status)}>
          {item.endReason ? valueText('customers.end', item.endReason) : valueText('customers.run', item.status)}
        </Status>
        {durationMs !== null &&
          durationMs >= minShownDurationMs &&
          ` ${t('customers.after', { time: duration(durationMs) })}`}
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
            <RecordLink path={recordPath('event', item.eventId)!}>{t('customers.withEvent')}</RecordLink>
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
