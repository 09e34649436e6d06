import { Button } from '@mantine/core'
import { getRouteApi, Link, Outlet, useMatch, useNavigate } from '@tanstack/react-router'
import { isUnused, listParams, pageReader, toRows } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { escapeOverrides } from '../../texts/isolate.ts'
import { Empty, ExampleRow } from '../../ui/Empty.tsx'
import { ExclamationTriangleIcon } from '../../ui/icons.ts'
import { FilteredEmpty } from '../../ui/list/FilteredEmpty.tsx'
import { Filters, SelectFilter } from '../../ui/list/Filters.tsx'
import { type Column, List } from '../../ui/list/List.tsx'
import { hasFilters } from '../../ui/list/sort.ts'
import { Mark } from '../../ui/Mark.tsx'
import { Page } from '../../ui/Page.tsx'
import { ShieldCheckIcon } from '../../ui/page-icons.ts'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { TimeRangeFilter } from '../../ui/time-range/TimeRangeFilter.tsx'
import { replaceTimeRange, withDefaultRange } from '../../ui/time-range/time-range.ts'
import { useListChart } from '../../ui/time-range/useListChart.tsx'
import ui from '../../ui/ui.module.css'
import eventStyles from '../events/events.module.css'
import { senderName, senderOption, senders } from '../events/filters.ts'
import { errorText } from './error-text.ts'
import { defaultRange, parseRejectedEventFilters, type RejectedEventFilters, toRejectedEventQuery } from './filters.ts'
import { RejectedChart } from './RejectedChart.tsx'
import styles from './rejected-events.module.css'
import { type RejectedEvent, useRejectedEvents } from './rejected-events.ts'
import { toErrors, useTrend } from './trend.ts'
import { useKeyNames } from './useKeyNames.ts'

const route = getRouteApi('/signed/not-accepted')

/** Rejected events page. The side panel shows one error, or a body to check. */
export const RejectedEvents = () => {
  const t = useTranslate()
  const number = useNumbers()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const filters = parseRejectedEventFilters(route.useSearch())
  const id = useMatch({ from: '/signed/not-accepted/$id', shouldThrow: false })?.params.id
  const query = useRejectedEvents(filters)
  const chart = useListChart(withDefaultRange(filters, defaultRange))
  const trend = useTrend(chart.query)
  const keyNames = useKeyNames()
  const filter = (search: { [Key in keyof RejectedEventFilters]?: RejectedEventFilters[Key] | undefined }) =>
    void navigate({ to: '/not-accepted', search: parseRejectedEventFilters(search) })
  const isFiltered = hasFilters(filters)

  const keyColumn: Column<RejectedEvent> = {
    key: 'key',
    title: t('notAccepted.apiKey'),
    width: 'minmax(90px, 1fr)',
    value: row => keyNames.get(row.apiKeyId ?? '') ?? '',
    cell: row => <bdi className={ui.quietCell}>{keyNames.get(row.apiKeyId ?? '')}</bdi>,
  }
  const columns: Column<RejectedEvent>[] = [
    {
      key: 'first',
      title: t('notAccepted.first'),
      width: '120px',
      keep: true,
      value: row => row.firstAt,
      cell: row => (
        <span className={ui.quietCell}>
          <Time at={row.firstAt} />
        </span>
      ),
    },
    {
      key: 'message',
      title: t('notAccepted.message'),
      width: 'minmax(220px, 3fr)',
      phone: 'title',
      value: row => row.message,
      cell: row => <ErrorLink row={row} filters={filters} />,
      phoneCell: row => <ErrorLink row={row} filters={filters} twoLines />,
    },
    {
      key: 'fields',
      title: t('notAccepted.fields'),
      width: 'minmax(120px, 1fr)',
      value: row => Object.keys(row.details ?? {}).join(', '),
      cell: row => <code>{escapeOverrides(Object.keys(row.details ?? {}).join(', '))}</code>,
    },
    {
      key: 'sender',
      title: t('notAccepted.sender'),
      width: '130px',
      phone: 'below',
      value: row => row.sender,
      cell: row => (
        <span className={eventStyles.sender}>
          <Mark of={row.sender} /> {senderName(row.sender)}
        </span>
      ),
    },
    ...(keyNames.size > 0 ? [keyColumn] : []),
    {
      key: 'count',
      title: t('notAccepted.count'),
      width: '96px',
      align: 'right',
      phone: 'end',
      value: row => row.count,
      cell: row => <span className="tabular">{number(row.count)}</span>,
      phoneCell: row => row.count > 1 && t('notAccepted.times', { count: row.count }),
    },
    {
      key: 'last',
      title: t('notAccepted.last'),
      width: '120px',
      phone: 'aside',
      value: row => row.lastAt,
      cell: row => (
        <span className={ui.quietCell}>
          <Time at={row.lastAt} />
        </span>
      ),
    },
  ]

  const rows = query.data?.pages.flatMap(({ data }) => data) ?? []
  // The most frequent errors of the time range, and those of the loaded rows.
  const messages = new Set([
    ...toErrors(trend.groups ?? []).flatMap(({ message }) => message ?? []),
    ...rows.map(({ message }) => message),
    ...(filters.message === undefined ? [] : [filters.message]),
  ])
  const knownSenders = new Set([
    ...senders,
    ...rows.map(({ sender }) => sender),
    ...(filters.sender ? [filters.sender] : []),
  ])
  const isEmpty = isUnused(query, isFiltered)
  const checkButton = (
    <Button variant="default" renderRoot={(props: object) => <Link {...props} to="/not-accepted/check" />}>
      {t('notAccepted.check')}
    </Button>
  )
  return (
    <div className={ui.withPanel}>
      <Page title={t('notAccepted.title')} text={t('notAccepted.text')} actions={isEmpty ? undefined : checkButton}>
        {!isEmpty && (
          <Filters
            clear={isFiltered ? () => filter({}) : undefined}
            views={{ list: 'rejected_events', path: '/not-accepted' }}
          >
            <TimeRangeFilter
              value={filters}
              defaultRange={defaultRange}
              always
              onChange={range => filter({ ...filters, ...replaceTimeRange(range) })}
            />
            <SelectFilter
              label={t('notAccepted.message')}
              value={filters.message}
              options={[...messages].map(value => ({ value, label: errorText(value) }))}
              searchable
              onChange={message => filter({ ...filters, message })}
            />
            <SelectFilter
              label={t('notAccepted.sender')}
              value={filters.sender}
              options={[...knownSenders].map(senderOption)}
              searchable
              onChange={sender => filter({ ...filters, sender })}
            />
            {isOwner && (
              <SelectFilter
                label={t('notAccepted.apiKey')}
                value={filters.apiKeyId}
                options={[...keyNames].map(([value, label]) => ({ value, label }))}
                searchable
                onChange={apiKeyId => filter({ ...filters, apiKeyId })}
              />
            )}
          </Filters>
        )}
        {!isEmpty && !(query.error && !query.data) && (
          <RejectedChart
            filters={filters}
            chart={chart}
            trend={trend}
            problemIds={new Set(rows.map(({ problemId }) => problemId))}
            filter={filter}
          />
        )}
        <List
          // The empty state and an error are other elements: a reused one would move by the height of the chart.
          key={isEmpty || (query.error && !query.data) ? 'other' : 'rows'}
          title={t('notAccepted.title')}
          // The title has two lines.
          phoneRowHeight={78}
          exportName="rejected-events"
          readPage={pageReader('/v1/activity/not-accepted', listParams(toRejectedEventQuery(filters)))}
          order={{ column: 'first', sort: filters.sort, onChange: sort => filter({ ...filters, sort }) }}
          columns={columns}
          rows={toRows(query)}
          getId={row => row.id}
          selected={id}
          live={{ kinds: ['not_accepted'], refresh: () => void query.refetch() }}
          open={row => void navigate({ to: '/not-accepted/$id', params: { id: row.id }, search: filters })}
          empty={
            isEmpty ? (
              <Empty
                icon={ShieldCheckIcon}
                title={t('notAccepted.emptyTitle')}
                text={t('notAccepted.emptyText')}
                docs="/docs/events"
                example={
                  <ExampleRow
                    lead={<ExclamationTriangleIcon width={20} aria-hidden="true" />}
                    title="order.created"
                    text={t('notAccepted.example')}
                    aside="400"
                  />
                }
              >
                {checkButton}
              </Empty>
            ) : (
              <FilteredEmpty
                icon={ShieldCheckIcon}
                title={t('notAccepted.emptyFiltered')}
                clear={() => filter({})}
                query={query}
              />
            )
          }
        />
      </Page>
      <Outlet />
    </div>
  )
}

/** Error of a rejected event, as a link to it. */
const ErrorLink = ({
  row,
  filters,
  twoLines = false,
}: {
  row: RejectedEvent
  filters: RejectedEventFilters
  twoLines?: boolean
}) => {
  const t = useTranslate()
  return (
    <Link
      className={twoLines ? `${ui.rowLink} ${styles.twoLines}` : ui.rowLink}
      to="/not-accepted/$id"
      params={{ id: row.id }}
      search={filters}
    >
      {row.severity === 'warning' && <Status tone="care">{t('notAccepted.warning')}</Status>}{' '}
      <bdi>{errorText(row.message)}</bdi>
    </Link>
  )
}
