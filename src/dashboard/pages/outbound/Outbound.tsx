import { Button, useMatches } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet, useMatch, useNavigate } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { outboundTypes } from '../../api/event-types.ts'
import type { LiveMessage } from '../../api/live.ts'
import { cursorPagination, pageReader, toRows, useIsUnused } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { PaperAirplaneIcon } from '../../ui/icons.ts'
import { FilteredEmpty } from '../../ui/list/FilteredEmpty.tsx'
import { Filters, SelectFilter } from '../../ui/list/Filters.tsx'
import { type Column, List } from '../../ui/list/List.tsx'
import { hasFilters } from '../../ui/list/sort.ts'
import { Page } from '../../ui/Page.tsx'
import { PlusIcon } from '../../ui/page-icons.ts'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { TimeRangeFilter } from '../../ui/time-range/TimeRangeFilter.tsx'
import { replaceTimeRange } from '../../ui/time-range/time-range.ts'
import { tones } from '../../ui/tones.ts'
import ui from '../../ui/ui.module.css'
import { ExampleDelivery } from '../webhooks/form/ExampleDelivery.tsx'
import { EventIcon } from './EventIcon.tsx'
import {
  defaultRange,
  type OutboundFilters,
  outboundParams,
  outboundStatuses,
  parseOutboundFilters,
} from './filters.ts'
import { CustomerName, customerIdOf, useEndpointNames, useEndpoints } from './names.tsx'
import { OutboundChart } from './OutboundChart.tsx'
import styles from './outbound.module.css'
import { SendSelected } from './SendSelected.tsx'
import { SentTo } from './SentTo.tsx'
import { useSummary } from './useSummary.ts'

type Row = Schemas['OutboundEvent']

const route = getRouteApi('/signed/outbound')
/** Columns that fit next to the side panel. */
const columnsBesidePanel: ReadonlySet<string> = new Set(['when', 'type', 'customer', 'status'])

/** Outbound events page with one event in the side panel. */
export const Outbound = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const filters = parseOutboundFilters(route.useSearch())
  const id = useMatch({ from: '/signed/outbound/$id', shouldThrow: false })?.params.id
  const query = hooks.useInfiniteQuery('get', '/v1/outbound-events', outboundParams(filters), {
    ...cursorPagination,
    placeholderData: keepPreviousData,
  })
  const { isFetching } = query
  const list = toRows(query)
  const isRelevant = ({ kind, fields }: LiveMessage) =>
    // The request in flight can return the row in its old state.
    kind !== 'delivery' || isFetching || list.rows?.some(({ id }) => id === fields.eventId) === true
  const refresh = async () => {
    // Another refetch would cancel the request of "Load more".
    if (query.isFetchingNextPage) await query.refetch({ cancelRefetch: false })
    await query.refetch()
  }
  const filter = (search: Record<string, unknown>) =>
    void navigate({ to: '/outbound', search: parseOutboundFilters(search) })
  const isFiltered = hasFilters(filters)
  const isEmpty = useIsUnused('/v1/outbound-events', query, isFiltered)
  const columns = useColumns(filters)
  const endpoints = useEndpoints()
  const isNarrow = id !== undefined
  return (
    <div className={ui.withPanel}>
      <Page title={t('outbound.title')} text={t('outbound.text')}>
        {!isEmpty && (
          <Filters
            clear={isFiltered ? () => filter({}) : undefined}
            views={{ list: 'outbound_events', path: '/outbound' }}
          >
            <TimeRangeFilter
              value={filters}
              defaultRange={defaultRange}
              onChange={range => filter({ ...filters, ...replaceTimeRange(range) })}
            />
            <SelectFilter
              label={t('outbound.type')}
              value={filters.type}
              options={outboundTypes}
              onChange={type => filter({ ...filters, type })}
            />
            <SelectFilter
              label={t('outbound.status')}
              value={filters.status}
              options={outboundStatuses.map(value => ({ value, label: t(`outbound.status.${value}`) }))}
              onChange={status => filter({ ...filters, status })}
            />
            <SelectFilter
              label={t('outbound.endpoint')}
              value={filters.webhookId}
              options={endpoints.map(({ id, name }) => ({ value: id, label: name }))}
              searchable
              onChange={webhookId => filter({ ...filters, webhookId })}
            />
          </Filters>
        )}
        {!isEmpty && !(query.error && !query.data) && (
          <OutboundChart filters={filters} onRange={range => filter({ ...filters, ...replaceTimeRange(range) })} />
        )}
        <List
          // The empty state and an error are other elements: a reused one would move by the height of the chart.
          key={isEmpty || query.isError ? 'other' : 'rows'}
          title={t('outbound.title')}
          columns={isNarrow ? columns.filter(({ key }) => columnsBesidePanel.has(key)) : columns}
          rows={isEmpty === null ? { ...list, rows: undefined } : list}
          getId={row => row.id}
          selected={id}
          selection={
            isOwner
              ? rows => [
                  {
                    key: 'send',
                    label: t('outbound.send'),
                    reason: endpoints.length > 0 ? null : t('outbound.sendNone'),
                    dialog: onClose => <SendSelected events={rows} onClose={onClose} />,
                  },
                ]
              : undefined
          }
          exportName="webhook-events"
          readPage={pageReader('/v1/outbound-events', outboundParams(filters))}
          order={{ column: 'when', sort: filters.sort, onChange: sort => filter({ ...filters, sort }) }}
          live={{ kinds: ['outbound_event'], changes: ['delivery'], isRelevant, refresh: () => void refresh() }}
          open={row => void navigate({ to: '/outbound/$id', params: { id: row.id }, search: filters })}
          empty={
            isEmpty ? (
              <Empty
                title={t('outbound.emptyTitle')}
                text={t('outbound.emptyText')}
                icon={PaperAirplaneIcon}
                docs="/docs/receivers"
                example={<ExampleDelivery />}
              >
                {isOwner && (
                  <Button
                    leftSection={<PlusIcon width={16} />}
                    renderRoot={(props: object) => <Link {...props} to="/webhooks/new" />}
                  >
                    {t('outbound.emptyDo')}
                  </Button>
                )}
              </Empty>
            ) : (
              <FilteredEmpty
                icon={PaperAirplaneIcon}
                title={t('outbound.emptyFiltered')}
                clear={() => filter(isFiltered ? {} : { range: 'all' })}
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

const useColumns = (filters: OutboundFilters): Column<Row>[] => {
  const t = useTranslate()
  const summary = useSummary()
  const endpointName = useEndpointNames()
  // Characters of endpoint names in the width of their column.
  const maxNames = useMatches({ base: 18, lg: 32 }, { getInitialValueInEffect: false })
  // An event that no endpoint receives has no status.
  const statusText = ({ status, sentTo }: Row) =>
    status === 'none' && sentTo === 0 ? null : t(`outbound.status.${status}`)
  const customerOrSummary = (row: Row) =>
    hasCustomer(row) ? <EventCustomer row={row} /> : <bdi className={styles.quiet}>{summary(row)}</bdi>
  return [
    {
      key: 'when',
      title: t('outbound.time'),
      width: '104px',
      phone: 'aside',
      value: row => row.createdAt,
      cell: row => (
        <span className={styles.quiet}>
          <Time at={row.createdAt} />
        </span>
      ),
    },
    {
      key: 'type',
      title: t('outbound.type'),
      width: 'minmax(166px, 1fr)',
      phone: 'title',
      value: row => row.type,
      cell: row => (
        <>
          <EventIcon type={row.type} />
          <Link className={ui.rowLink} to="/outbound/$id" params={{ id: row.id }} search={filters}>
            {row.type}
          </Link>
        </>
      ),
    },
    {
      key: 'customer',
      title: t('outbound.customer'),
      width: 'minmax(140px, 1fr)',
      phone: 'below',
      value: customerIdOf,
      customerId: customerIdOf,
      cell: row => <EventCustomer row={row} />,
      // An event without a customer says what it is about.
      withoutWide: { title: t('outbound.customerOrSummary'), cell: customerOrSummary },
      phoneCell: row => {
        const late = row.deliveries.find(({ status }) => status === row.status && isDelayed(status))
        const name = late && endpointName(late.webhookId)
        return (
          <>
            {customerOrSummary(row)}
            {name && (
              <>
                {' · '}
                <bdi>{name}</bdi>
              </>
            )}
          </>
        )
      },
    },
    {
      key: 'about',
      title: t('outbound.summary'),
      width: 'minmax(180px, 1.8fr)',
      wide: true,
      value: summary,
      cell: row => <bdi>{summary(row)}</bdi>,
    },
    {
      key: 'status',
      title: t('outbound.status'),
      phone: 'end',
      width: '96px',
      value: statusText,
      cell: row => {
        const text = statusText(row)
        return text ? (
          <Status tone={isLate(row) ? 'care' : tones.outboundEvent[row.status]}>{text}</Status>
        ) : (
          <span className={styles.quiet}>–</span>
        )
      },
    },
    {
      key: 'sentTo',
      title: t('outbound.sentTo'),
      width: 'minmax(130px, 1.5fr)',
      value: ({ webhookIds }) => webhookIds.map(id => endpointName(id) ?? id).join(', '),
      cell: row => <SentTo event={row} endpointName={endpointName} maxCharacters={maxNames} search={filters} />,
    },
    {
      key: 'notSentTo',
      title: t('outbound.notSentTo'),
      exportOnly: true,
      value: row => row.passedOver,
      cell: () => null,
    },
  ]
}

/** Milliseconds after which an event that is not delivered needs attention: the first attempt has failed, or was not made. */
const lateMs = 60_000

const isDelayed = (status: string): boolean => status === 'retrying' || status === 'failed'

const isLate = ({ status, createdAt }: Row): boolean =>
  status === 'waiting' && Date.now() - Date.parse(createdAt) > lateMs

const hasCustomer = (row: Row): boolean => customerIdOf(row) !== null || typeof row.data.handle === 'string'

/** Customer of an event. An opt-out names only the address. */
const EventCustomer = ({ row }: { row: Row }) => {
  const customerId = customerIdOf(row)
  if (customerId !== null) return <CustomerName id={customerId} />
  const { handle } = row.data
  return typeof handle === 'string' ? <bdi>{handle}</bdi> : <span className={styles.quiet}>–</span>
}
