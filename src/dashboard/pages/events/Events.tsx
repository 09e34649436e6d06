import { Anchor, Button, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet, useMatch, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { cursorPagination, listParams, pageReader, toRows, useIsUnused } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Samples } from '../../ui/form/OneTimeSecret.tsx'
import { BoltIcon, ShareIcon } from '../../ui/icons.ts'
import { FilteredEmpty } from '../../ui/list/FilteredEmpty.tsx'
import { Filters, SelectFilter, SuggestFilter } from '../../ui/list/Filters.tsx'
import { type Column, List } from '../../ui/list/List.tsx'
import { hasFilters } from '../../ui/list/sort.ts'
import { Mark } from '../../ui/Mark.tsx'
import { Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { TimeRangeFilter } from '../../ui/time-range/TimeRangeFilter.tsx'
import { replaceTimeRange } from '../../ui/time-range/time-range.ts'
import ui from '../../ui/ui.module.css'
import { firstCalls } from '../api-keys/samples.ts'
import { NamedCustomer } from '../customers/CustomerCell.tsx'
import { CustomerSelect } from '../customers/CustomerSelect.tsx'
import { customerName } from '../customers/name.ts'
import { EventHistogram } from './EventHistogram.tsx'
import styles from './events.module.css'
import {
  defaultRange,
  type EventFilters,
  outcomeFilter,
  outcomes,
  outcomeTones,
  parseEventFilters,
  selectedOutcome,
  senderName,
  senderOption,
  senders,
  toEventQuery,
} from './filters.ts'
import { useEventTypes } from './useEventTypes.ts'

type Row = Schemas['ActivityEvent']

const route = getRouteApi('/signed/events')

/** Events page with one event in the side panel. */
export const Events = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const filters = parseEventFilters(route.useSearch())
  const id = useMatch({ from: '/signed/events/$id', shouldThrow: false })?.params.id
  const isSending = useMatch({ from: '/signed/events/send', shouldThrow: false }) !== undefined
  const params = listParams(toEventQuery(filters))
  const query = hooks.useInfiniteQuery('get', '/v1/activity/events', params, {
    ...cursorPagination,
    placeholderData: keepPreviousData,
  })
  const [isTypeFilterUsed, setIsTypeFilterUsed] = useState(false)
  const types = useEventTypes(isTypeFilterUsed)
  const filter = (search: EventFilters) => void navigate({ to: '/events', search })
  const isFiltered = hasFilters(filters)
  const isEmpty = useIsUnused('/v1/activity/events', query, isFiltered)
  const list = toRows(query)

  return (
    <div className={ui.withPanel}>
      <Page
        title={t('events.title')}
        text={t('events.text')}
        actions={
          isEmpty ? undefined : (
            <Button
              variant="default"
              renderRoot={(props: object) => <Link {...props} to="/events/send" search={filters} />}
            >
              {t('events.sendTest')}
            </Button>
          )
        }
      >
        {!isEmpty && (
          <Filters views={{ list: 'events', path: '/events' }} clear={isFiltered ? () => filter({}) : undefined}>
            <TimeRangeFilter
              value={filters}
              defaultRange={defaultRange}
              onChange={range => filter(parseEventFilters({ ...filters, ...replaceTimeRange(range) }))}
            />
            <SuggestFilter
              label={t('events.typeExact')}
              value={filters.type}
              suggestions={types}
              onFocus={() => setIsTypeFilterUsed(true)}
              onChange={type => filter(parseEventFilters({ ...filters, type }))}
            />
            <SelectFilter
              label={t('events.started')}
              value={selectedOutcome(filters)}
              options={outcomes.map(value => ({ value, label: t(`events.outcome.${value}`) }))}
              onChange={outcome => filter(parseEventFilters({ ...filters, ...outcomeFilter(outcome) }))}
            />
            <SelectFilter
              label={t('events.sender')}
              value={filters.sender}
              options={senders.map(senderOption)}
              searchable
              onChange={sender => filter(parseEventFilters({ ...filters, sender }))}
            />
            <CustomerSelect
              chip
              label={t('events.customer')}
              value={filters.customerId ?? null}
              onChange={customerId => filter(parseEventFilters({ ...filters, customerId }))}
            />
          </Filters>
        )}
        {!isEmpty && !(query.error && !query.data) && <EventHistogram filters={filters} filter={filter} />}
        <List
          // The empty state and an error are other elements: a reused one would move by the height of the chart.
          key={isEmpty || (query.error && !query.data) ? 'other' : 'rows'}
          title={t('events.title')}
          exportName="events"
          readPage={pageReader('/v1/activity/events', params)}
          order={{
            column: 'when',
            sort: filters.sort,
            onChange: sort => filter(parseEventFilters({ ...filters, sort })),
          }}
          columns={useColumns(filters)}
          rows={isEmpty === null ? { ...list, rows: undefined } : list}
          getId={row => row.id}
          selected={id}
          live={{ kinds: ['event'], refresh: () => void query.refetch() }}
          open={row => void navigate({ to: '/events/$id', params: { id: row.id }, search: filters })}
          empty={
            isEmpty ? (
              <Empty
                icon={BoltIcon}
                title={t('events.emptyTitle')}
                text={t('events.emptyText')}
                docs="/docs/events"
                // The panel says how to send one, and leaves no room for code beside it.
                below={!isSending && <SampleRequests />}
              >
                <Button
                  variant={isSending ? 'default' : 'filled'}
                  renderRoot={(props: object) => <Link {...props} to="/events/send" />}
                >
                  {t('events.sendTest')}
                </Button>
              </Empty>
            ) : (
              <FilteredEmpty
                icon={BoltIcon}
                title={t('events.emptyFiltered')}
                text={filters.type && t('events.emptyExact', { type: filters.type })}
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

const useColumns = (filters: EventFilters): Column<Row>[] => {
  const t = useTranslate()
  const resultText = (row: Row) =>
    row.automations.map(({ name }) => name).join(', ') || (row.reason ? t(`events.reason.${row.reason}`) : '')
  return [
    {
      key: 'when',
      title: t('events.time'),
      width: '110px',
      value: row => row.createdAt,
      cell: row => (
        <span className={ui.quietCell}>
          <Time at={row.createdAt} />
        </span>
      ),
      phone: 'aside',
    },
    {
      key: 'type',
      title: t('events.type'),
      width: 'minmax(150px, 1fr)',
      phone: 'title',
      value: row => row.type,
      cell: row => (
        <Link className={ui.rowLink} to="/events/$id" params={{ id: row.id }} search={filters}>
          {row.type}
        </Link>
      ),
    },
    {
      key: 'customer',
      title: t('events.customer'),
      width: 'minmax(150px, 1fr)',
      phone: 'below',
      value: row => customerName(row.customer),
      cell: row => <NamedCustomer name={row.customer.name} label={customerName(row.customer)} />,
    },
    {
      key: 'sender',
      title: t('events.sender'),
      width: '130px',
      value: row => row.sender,
      cell: row => (
        <span className={styles.sender}>
          <Mark of={row.sender} /> {senderName(row.sender)}
        </span>
      ),
    },
    {
      key: 'started',
      title: t('events.started'),
      width: 'minmax(160px, 1.5fr)',
      phone: 'end',
      value: resultText,
      cell: row => <StartedWorkflows row={row} />,
    },
  ]
}

const StartedWorkflows = ({ row }: { row: Row }) => {
  const t = useTranslate()
  if (row.automations.length === 0) {
    return row.reason ? <Status tone={outcomeTones[row.reason]}>{t(`events.reason.${row.reason}`)}</Status> : null
  }
  return (
    <span className={styles.automations}>
      {row.automations.map(({ runId, name }) => (
        <Link key={runId} className={styles.run} data-tone={outcomeTones.started} to="/runs/$id" params={{ id: runId }}>
          <ShareIcon width={14} aria-hidden="true" />
          <bdi>{name}</bdi>
        </Link>
      ))}
    </span>
  )
}

/** Sample call for the first event. The API key is never included: it is shown only when it is issued. */
const SampleRequests = () => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  return (
    <div className={styles.firstCall}>
      <Text size="sm" mb="md">
        {t('events.emptyCall')}{' '}
        {isOwner && (
          <Anchor size="sm" underline="always" renderRoot={(props: object) => <Link {...props} to="/api-keys" />}>
            {t('events.emptyKey')}
          </Anchor>
        )}
      </Text>
      <Samples title={t('events.emptyCall')} samples={firstCalls(location.origin, t('events.yourKey'))} />
    </div>
  )
}
