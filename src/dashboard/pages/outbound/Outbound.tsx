import { Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet, useMatch, useNavigate } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { outboundTypes } from '../../api/event-types.ts'
import type { LiveMessage } from '../../api/live.ts'
import { cursorPagination, pageReader, toRows, useIsUnused } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { PaperAirplaneIcon } from '../../ui/icons.ts'
import { FilteredEmpty } from '../../ui/list/FilteredEmpty.tsx'
import { Filters, SelectFilter } from '../../ui/list/Filters.tsx'
import { List } from '../../ui/list/List.tsx'
import { hasFilters } from '../../ui/list/sort.ts'
import { Page } from '../../ui/Page.tsx'
import { PlusIcon } from '../../ui/page-icons.ts'
import { TimeRangeFilter } from '../../ui/time-range/TimeRangeFilter.tsx'
import { replaceTimeRange } from '../../ui/time-range/time-range.ts'
import ui from '../../ui/ui.module.css'
import { ExampleDelivery } from '../webhooks/form/ExampleDelivery.tsx'
import { defaultRange, outboundParams, outboundStatuses, parseOutboundFilters } from './filters.ts'
import { useEndpoints } from './names.tsx'
import { OutboundChart } from './OutboundChart.tsx'
import { SendSelected } from './SendSelected.tsx'
import { useColumns } from './useColumns.tsx'

const route = getRouteApi('/signed/outbound')

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
  const columns = useColumns(filters, id !== undefined)
  const endpoints = useEndpoints()
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
          columns={columns}
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
