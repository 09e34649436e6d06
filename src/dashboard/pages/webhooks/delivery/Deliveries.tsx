import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, useMatch, useNavigate } from '@tanstack/react-router'
import { api, hooks, type Schemas } from '../../../api/client.ts'
import { outboundTypes } from '../../../api/event-types.ts'
import { cursorPagination, isUnused, pageReader, pageSize, toRows } from '../../../api/pages.ts'
import { type TextId, useTranslate } from '../../../texts/index.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { PaperAirplaneIcon } from '../../../ui/icons.ts'
import { FilteredEmpty } from '../../../ui/list/FilteredEmpty.tsx'
import { Filters, SelectFilter } from '../../../ui/list/Filters.tsx'
import { List } from '../../../ui/list/List.tsx'
import { hasFilters } from '../../../ui/list/sort.ts'
import { ArrowPathIcon } from '../../../ui/page-icons.ts'
import { TimeRangeFilter } from '../../../ui/time-range/TimeRangeFilter.tsx'
import { replaceTimeRange } from '../../../ui/time-range/time-range.ts'
import { EndpointCharts } from '../EndpointCharts.tsx'
import { hasNoDeliveries, useHealth } from '../Health.tsx'
import { statsQuery } from '../statistics.ts'
import styles from '../webhooks.module.css'
import { type DeliveryRow, toNarrow, useDeliveryColumns } from './delivery-columns.tsx'
import {
  codeClasses,
  type DeliveryFilters,
  defaultRange,
  deliveryStatuses,
  parseDeliveryFilters,
  toDeliveryQuery,
} from './filters.ts'

const route = getRouteApi('/signed/webhooks/$id')

/** Statistics and deliveries of an endpoint. */
export const Deliveries = ({ webhook }: { webhook: Schemas['Webhook'] }) => {
  const { id: webhookId } = webhook
  const t = useTranslate()
  const navigate = useNavigate()
  const filters = route.useSearch()
  const deliveryId = useMatch({ from: '/signed/webhooks/$id/deliveries/$deliveryId', shouldThrow: false })?.params
    .deliveryId
  const params = { params: { path: { id: webhookId }, query: { limit: pageSize, ...toDeliveryQuery(filters) } } }
  const query = hooks.useInfiniteQuery('get', '/v1/webhooks/{id}/deliveries', params, {
    ...cursorPagination,
    placeholderData: keepPreviousData,
  })
  const to = (search: Record<string, unknown>) =>
    void navigate({ to: '/webhooks/$id', params: { id: webhookId }, search: parseDeliveryFilters(search) })
  const isFiltered = hasFilters(filters)
  const list = toRows(query)
  const columns = useDeliveryColumns(webhook, filters, list.rows)
  const codeOptions = useCodeOptions(webhookId, filters)
  const isNarrow = deliveryId !== undefined
  const health = useHealth(webhookId).data
  // Without any delivery the charts would be three empty frames. The default time range omits older deliveries.
  const isEmpty = isUnused(query, isFiltered) && (!health || hasNoDeliveries(health))
  return (
    <div className={styles.content}>
      {!isEmpty && (
        <Filters
          clear={isFiltered ? () => to({}) : undefined}
          views={{ list: 'deliveries', path: `/webhooks/${webhookId}` }}
        >
          <TimeRangeFilter
            value={filters}
            defaultRange={defaultRange}
            onChange={range => to({ ...filters, ...replaceTimeRange(range) })}
          />
          <SelectFilter
            label={t('webhooks.status')}
            value={filters.status}
            options={deliveryStatuses.map(value => ({ value, label: t(`webhooks.status.${value}`) }))}
            onChange={status => to({ ...filters, status })}
          />
          <SelectFilter
            label={t('webhooks.responseStatus')}
            value={filters.statusCode}
            options={codeOptions}
            searchable
            onChange={statusCode => to({ ...filters, statusCode })}
          />
          <SelectFilter
            label={t('webhooks.eventType')}
            value={filters.eventType}
            options={outboundTypes}
            onChange={eventType => to({ ...filters, eventType })}
          />
        </Filters>
      )}
      {!isNarrow && !isEmpty && (
        <EndpointCharts
          id={webhookId}
          range={filters}
          isNarrowed={Boolean(filters.status ?? filters.statusCode ?? filters.eventType)}
          onRange={range => to({ ...filters, ...replaceTimeRange(range) })}
          onCode={statusCode => to({ ...filters, statusCode })}
        />
      )}
      {/* The empty state is another element: a reused one would move by the height of the charts. */}
      <div
        key={isEmpty ? 'other' : 'rows'}
        className={isNarrow ? `${styles.listArea} ${styles.narrow}` : styles.listArea}
      >
        <List
          title={t('webhooks.deliveries')}
          columns={isNarrow ? toNarrow(columns) : columns}
          rows={list}
          getId={row => row.id}
          selected={deliveryId}
          selection={rows => [
            {
              key: 'retry',
              label: t('webhooks.retrySelectedOpen'),
              icon: <ArrowPathIcon width={16} />,
              reason: rows.every(row => skipText(row) !== null) ? t('webhooks.retrySelectedNone') : null,
              title: t('webhooks.retrySelected'),
              text: t('webhooks.retrySelectedText'),
              confirm: count => t('webhooks.retrySelectedDo', { count }),
              items: rows.map(row => {
                const skip = skipText(row)
                return { id: row.id, label: row.eventType, skip: skip ? t(skip) : undefined }
              }),
              send: deliveryId =>
                api.POST('/v1/webhooks/{id}/deliveries/{deliveryId}/retry', {
                  params: { path: { id: webhookId, deliveryId } },
                }),
              changes: path => path.startsWith('/v1/webhooks'),
            },
          ]}
          exportName="deliveries"
          readPage={pageReader('/v1/webhooks/{id}/deliveries', params)}
          order={{ column: 'when', sort: filters.sort, onChange: sort => to({ ...filters, sort }) }}
          live={{
            kinds: ['delivery'],
            refresh: () => void query.refetch(),
            isRelevant: ({ fields }) => (fields.webhookId ?? webhookId) === webhookId,
          }}
          open={row =>
            void navigate({
              to: '/webhooks/$id/deliveries/$deliveryId',
              params: { id: webhookId, deliveryId: row.id },
              search: filters,
            })
          }
          empty={
            isEmpty ? (
              <Empty
                title={t('webhooks.noneTitle')}
                text={
                  !webhook.enabled
                    ? t('webhooks.noneOff')
                    : t(webhook.heldAt ? 'webhooks.guide.pausedText' : 'webhooks.noneText')
                }
                icon={PaperAirplaneIcon}
                docs="/docs/receivers"
              />
            ) : (
              <FilteredEmpty
                title={t('webhooks.noneFiltered')}
                text={t('webhooks.noneFilteredText')}
                clear={() => to(isFiltered ? {} : { range: 'all' })}
                query={query}
              />
            )
          }
        />
      </div>
    </div>
  )
}

/** Returns the text that says why a retry does not apply to a delivery: it is delivered, or attempted now. Null if it does. */
const skipText = ({ status, nextAttemptAt }: DeliveryRow): TextId | null => {
  if (status === 'delivered') return 'webhooks.bulk.isDelivered'
  const isDue = nextAttemptAt !== null && Date.parse(nextAttemptAt) <= Date.now()
  return status === 'pending' || isDue ? 'webhooks.bulk.isDue' : null
}

/** Classes of codes, and the codes of the shown time. */
const useCodeOptions = (webhookId: string, filters: DeliveryFilters): { value: string; label: string }[] => {
  const t = useTranslate()
  const codes = (useQuery(statsQuery(webhookId, filters)).data?.codes ?? []).flatMap(({ statusCode }) =>
    statusCode === null ? [] : [String(statusCode)],
  )
  const values = new Set([...codeClasses, ...codes, ...(filters.statusCode ? [filters.statusCode] : [])])
  return [...values].map(value => ({ value, label: value === 'none' ? t('webhooks.noAnswer') : value }))
}
