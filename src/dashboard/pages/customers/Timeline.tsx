import { Anchor, Button, Skeleton, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { hooks, type Schemas } from '../../api/client.ts'
import { byCursor, pageSize, rowsOf } from '../../api/pages.ts'
import { pathOf } from '../../shell/paths.ts'
import { isText, useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Section } from '../../ui/Panel.tsx'
import { Status, type Tone } from '../../ui/Status.tsx'
import { Time, useDuration } from '../../ui/Time.tsx'
import { useZone } from '../../ui/zone.ts'
import styles from './customers.module.css'
import { consentTone } from './Ledger.tsx'

type Item = Schemas['TimelineItem']
type Of<Kind extends Item['kind']> = Extract<Item, { kind: Kind }>

/** Timeline of a customer, newest first, with a heading for each day. */
export const Timeline = ({ customerId }: { customerId: string }) => {
  const say = useTexts()
  const dayOf = useDay()
  const query = hooks.useInfiniteQuery(
    'get',
    '/v1/customers/{id}/timeline',
    { params: { path: { id: customerId }, query: { limit: pageSize } } },
    byCursor,
  )
  const { rows, failure, retry, more, loadingMore } = rowsOf(query)
  const days = rows ? Object.entries(Object.groupBy(rows, item => dayOf(item.at))) : []
  return (
    <Section title={say('customers.timeline')}>
      {failure && !rows ? <Failure of={failure} retry={retry} /> : null}
      {!rows && !failure && (
        <Stack gap="sm" aria-busy="true">
          {[0, 1, 2, 3, 4, 5].map(line => (
            <Skeleton key={line} height={36} />
          ))}
        </Stack>
      )}
      {rows?.length === 0 && (
        <Text size="sm" c="dimmed">
          {say('customers.timelineEmpty')}
        </Text>
      )}
      {days.map(([day, items]) => (
        <section key={day} aria-label={day} className={styles.day}>
          <p className={styles.dayName}>{day}</p>
          <ol className={styles.timeline}>
            {items!.map(item => (
              <li key={item.id}>
                <Line item={item} />
              </li>
            ))}
          </ol>
        </section>
      ))}
      {rows && failure ? <Failure of={failure} retry={retry} /> : null}
      {more && (
        <Button variant="default" mt="sm" loading={loadingMore} onClick={more}>
          {say('list.more')}
        </Button>
      )}
    </Section>
  )
}

/** Formats a day as a heading in the time zone of the reader. */
const useDay = (): ((at: string) => string) => {
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

const Line = ({ item }: { item: Item }) => {
  switch (item.kind) {
    case 'event':
      return <EventLine item={item} />
    case 'message':
      return <MessageLine item={item} />
    case 'run':
      return <RunLine item={item} />
    default:
      return <ConsentLine item={item} />
  }
}

const Row = ({
  kind,
  at,
  title,
  aside,
  children,
}: {
  kind: string
  at: string
  title: ReactNode
  aside?: ReactNode
  children?: ReactNode
}) => (
  <div className={styles.item}>
    <span className={styles.itemKind}>{kind}</span>
    <div className={styles.itemWhat}>
      <div className={styles.itemHead}>
        <span className={styles.itemTitle}>{title}</span>
        {aside}
      </div>
      {children}
    </div>
    <span className={styles.itemTime}>
      <Time at={at} />
    </span>
  </div>
)

const To = ({ path, children }: { path: string; children: ReactNode }) => (
  <Anchor size="sm" inherit renderRoot={(props: object) => <Link {...props} to={path} />}>
    {children}
  </Anchor>
)

const EventLine = ({ item }: { item: Of<'event'> }) => {
  const say = useTexts()
  return (
    <Row
      kind={say('customers.item.event')}
      at={item.at}
      title={
        <To path={pathOf('event', item.id)!}>
          <bdi>{item.type}</bdi>
        </To>
      }
    >
      <div className={styles.quiet}>
        <bdi>{item.sender}</bdi>
        {', '}
        {item.matchedWorkflows === 0
          ? say('customers.nothingListened')
          : say('customers.listened', { count: item.matchedWorkflows })}
      </div>
    </Row>
  )
}

const messageTone: Record<string, Tone> = {
  queued: 'moving',
  sent: 'moving',
  delivered: 'done',
  read: 'done',
  received: 'done',
  failed: 'failed',
  skipped: 'off',
  unknown: 'care',
}

const MessageLine = ({ item }: { item: Of<'message'> }) => {
  const say = useTexts()
  const known = useKnown()
  return (
    <Row
      kind={say('customers.item.message')}
      at={item.at}
      title={
        <>
          <To path={pathOf('message', item.id)!}>{say(`customers.${item.direction}`)}</To>
          <span className={styles.toInbox}>
            <To path={pathOf('conversation', item.conversationId)!}>{say('customers.inInbox')}</To>
          </span>
        </>
      }
      aside={
        // A received message needs no status.
        item.status !== 'received' && (
          <Status tone={messageTone[item.status] ?? 'off'}>{known('customers.message', item.status)}</Status>
        )
      }
    >
      <bdi className={styles.said}>{item.text ?? say('customers.noText')}</bdi>
      {item.detail && <div className={styles.quiet}>{item.detail}</div>}
    </Row>
  )
}

const runTone: Record<string, Tone> = {
  active: 'moving',
  waiting: 'moving',
  done: 'done',
  failed: 'failed',
  stopped: 'off',
}

/** Shortest duration of a run that is shown. A run that did not wait takes less. */
const worthTellingMs = 1_000

const RunLine = ({ item }: { item: Of<'run'> }) => {
  const say = useTexts()
  const known = useKnown()
  const duration = useDuration()
  const took = item.endedAt ? new Date(item.endedAt).getTime() - new Date(item.at).getTime() : null
  const told = [
    item.endReason && known('customers.end', item.endReason),
    took !== null && took >= worthTellingMs && say('customers.after', { time: duration(took) }),
  ].filter(Boolean)
  return (
    <Row
      kind={say('customers.item.run')}
      at={item.at}
      title={
        <>
          <To path={pathOf('run', item.id)!}>
            <bdi>{item.workflowName ?? say('customers.deletedWorkflow')}</bdi>
          </To>{' '}
          <span className={styles.quiet}>{say('customers.version', { version: item.version })}</span>
        </>
      }
      aside={<Status tone={runTone[item.status] ?? 'off'}>{known('customers.run', item.status)}</Status>}
    >
      {told.length > 0 && <div className={styles.quiet}>{told.join(', ')}</div>}
    </Row>
  )
}

const ConsentLine = ({ item }: { item: Of<'opt_in' | 'opt_out' | 'lift'> }) => {
  const say = useTexts()
  return (
    <Row
      kind={say('customers.item.consent')}
      at={item.at}
      title={<Status tone={consentTone[item.kind]}>{say(`customers.kind.${item.kind}`)}</Status>}
    >
      {item.words && <bdi className={styles.said}>{item.words}</bdi>}
      <div className={styles.quiet}>
        {item.source === 'dashboard' ? say('customers.source.somebody') : say(`customers.source.${item.source}`)}
        {item.eventId && (
          <>
            {', '}
            <To path={pathOf('event', item.eventId)!}>{say('customers.withEvent')}</To>
          </>
        )}
      </div>
    </Row>
  )
}

/** Returns the text of a status. A status without a text, from a newer server, is shown by its API name. */
const useKnown = (): ((group: string, value: string) => string) => {
  const say = useTexts()
  return (group, value) => {
    const id = `${group}.${value}`
    return isText(id) ? say(id) : value
  }
}
