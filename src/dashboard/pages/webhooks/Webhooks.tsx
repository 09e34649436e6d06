import { Button, Skeleton } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { TimeChart } from '../../ui/charts/TimeChart.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { ArrowsRightLeftIcon } from '../../ui/icons.ts'
import { List } from '../../ui/list/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { PlusIcon, ShieldCheckIcon } from '../../ui/page-icons.ts'
import { TimeRangeFilter } from '../../ui/time-range/TimeRangeFilter.tsx'
import { type TimeRange, toBarRange, toChartRange, withDefaultRange } from '../../ui/time-range/time-range.ts'
import { defaultRange } from './delivery/filters.ts'
import { shownState, stateOrder } from './EndpointState.tsx'
import { type EndpointRow, useEndpointColumns } from './endpoint-columns.tsx'
import { ExampleDelivery } from './form/ExampleDelivery.tsx'
import { Guide } from './Guide.tsx'
import { healthQuery } from './Health.tsx'
import { toAllEntries, toEntries, useAttemptSeries, useSummary } from './statistics.ts'
import { useEndpointBulkActions } from './useEndpointBulkActions.ts'
import styles from './webhooks.module.css'

const route = getRouteApi('/signed/webhooks')

/** Webhooks page: the attempts of all endpoints over time, and a row per endpoint with its state and statistics. */
export const Webhooks = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const range = route.useSearch()
  const query = hooks.useQuery('get', '/v1/webhooks', {})
  const summary = useSummary(range)
  const rows = useRows(query.data?.data, summary.data)
  const columns = useEndpointColumns(range)
  const bulkActions = useEndpointBulkActions()
  const isEmpty = rows?.length === 0
  const addButton = isOwner && (
    <Button
      leftSection={<PlusIcon width={16} />}
      renderRoot={(props: object) => <Link {...props} to="/webhooks/new" />}
    >
      {t('webhooks.add')}
    </Button>
  )
  const actions = isOwner && !isEmpty && (
    <>
      <Button
        variant="default"
        leftSection={<ShieldCheckIcon width={16} />}
        renderRoot={(props: object) => <Link {...props} to="/webhooks/doctor" />}
      >
        {t('webhooks.signatureCheck')}
      </Button>
      {addButton}
    </>
  )
  return (
    <Page title={t('webhooks.title')} text={t('webhooks.text')} readOnly={!isOwner} actions={actions}>
      <div className={styles.content}>
        {!rows && !query.error && <Skeleton className={styles.chart!} height={260} width="auto" />}
        {rows && rows.length > 0 && <AttemptsChart summary={summary} range={range} />}
        {/* The empty state and an error are other elements: a reused one would move by the height of the chart. */}
        <div
          className={rows && rows.length > 0 ? styles.endpoints : styles.listArea}
          style={{ ['--rows' as string]: rows?.length }}
          key={isEmpty || query.isError ? 'other' : 'rows'}
        >
          <List
            title={t('webhooks.endpoints')}
            columns={columns}
            rows={{
              rows,
              failure: query.error,
              retry: () => void query.refetch(),
              loadMore: null,
              loadingMore: false,
            }}
            getId={({ webhook }) => webhook.id}
            open={({ webhook }) => void navigate({ to: '/webhooks/$id', params: { id: webhook.id } })}
            exportName="endpoints"
            selection={isOwner ? bulkActions : undefined}
            empty={
              <Empty
                title={t('webhooks.emptyTitle')}
                text={t('webhooks.emptyText')}
                icon={ArrowsRightLeftIcon}
                docs="/docs/receivers"
                example={<ExampleDelivery />}
              >
                {addButton}
              </Empty>
            }
          />
        </div>
        {rows && rows.length > 0 && rows.every(isUnused) && <Guide />}
      </div>
    </Page>
  )
}

/** Rows with their health and statistics, the most urgent first. Undefined until the health of all is loaded. */
const useRows = (
  webhooks: Schemas['Webhook'][] | undefined,
  summary: Schemas['ActivitySummaryList'] | undefined,
): EndpointRow[] | undefined => {
  const all = webhooks ?? []
  const healths = useQueries({ queries: all.map(({ id }) => healthQuery(id)) })
  if (!webhooks || healths.some(({ isPending }) => isPending)) return undefined
  return all
    .map((webhook, index) => ({
      webhook,
      health: healths[index]?.data,
      entries: summary && toEntries(summary, webhook.id),
    }))
    .toSorted((a, b) => urgency(a) - urgency(b))
}

/** Returns true for an endpoint without deliveries. The explanation of deliveries is for a workspace that has none. */
const isUnused = ({ health }: EndpointRow): boolean => health !== undefined && shownState(health) === 'unused'

/** An endpoint without a health, because the request failed, comes first. */
const urgency = ({ health }: EndpointRow): number => (health ? stateOrder.indexOf(shownState(health)) : -1)

/** Attempts of all endpoints, as on Home. */
const AttemptsChart = ({ summary, range }: { summary: ReturnType<typeof useSummary>; range: TimeRange }) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const series = useAttemptSeries()
  const shownRange = withDefaultRange(range, defaultRange)
  const { by } = toChartRange(shownRange)
  return (
    <div className={styles.chart}>
      <TimeChart
        title={t('webhooks.stats.attempts')}
        rows={summary.data && toAllEntries(summary.data)}
        query={summary}
        series={series}
        by={by}
        height={150}
        onSelect={({ at }) => void navigate({ to: '/outbound', search: toBarRange(at, by) })}
        actions={
          <TimeRangeFilter always value={shownRange} onChange={search => void navigate({ to: '/webhooks', search })} />
        }
      />
    </div>
  )
}
