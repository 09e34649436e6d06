import { Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { outboundTypes } from '../../api/event-types.ts'
import { cursorPagination, pageSize, toRows } from '../../api/pages.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Filters, SelectFilter } from '../../ui/list/Filters.tsx'
import { type Column, List } from '../../ui/list/List.tsx'
import { Duration, Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { DeliveryStatus, getBlockReason, useAttemptResult } from './delivery-status.tsx'
import { type DeliveryFilters, deliveryStatuses, parseDeliveryFilters } from './filters.ts'
import { useHealth } from './Health.tsx'
import { RecoveryDialog } from './Recovery.tsx'
import styles from './webhooks.module.css'

type Row = Schemas['Delivery']

/** Deliveries of an endpoint, newest first. */
export const Deliveries = ({ webhook }: { webhook: Schemas['Webhook'] }) => {
  const { id: webhookId } = webhook
  const t = useTranslate()
  const navigate = useNavigate()
  const filters = parseDeliveryFilters(useSearch({ strict: false }))
  const { deliveryId } = useParams({ strict: false }) as { deliveryId?: string }
  const [isRecoveryOpen, setIsRecoveryOpen] = useState(false)
  const query = hooks.useInfiniteQuery(
    'get',
    '/v1/webhooks/{id}/deliveries',
    { params: { path: { id: webhookId }, query: { limit: pageSize, ...filters } } },
    { ...cursorPagination, placeholderData: keepPreviousData },
  )
  const to = (search: DeliveryFilters) => void navigate({ to: '/webhooks/$id', params: { id: webhookId }, search })
  const isFiltered = filters.status !== undefined || filters.eventType !== undefined
  const columns = useColumns(webhook, filters)
  const hasFailed =
    useHealth(webhookId).data?.last50.some(({ status }) => status === 'failed' || status === 'retrying') ?? false
  return (
    <div className={deliveryId === undefined ? styles.deliveries : `${styles.deliveries} ${styles.narrow}`}>
      <Filters clear={isFiltered ? () => to({}) : undefined}>
        <SelectFilter
          label={t('webhooks.status')}
          value={filters.status}
          options={deliveryStatuses.map(value => ({ value, label: t(`webhooks.status.${value}`) }))}
          onChange={status => to({ ...filters, status } as DeliveryFilters)}
        />
        <SelectFilter
          label={t('webhooks.eventType')}
          value={filters.eventType}
          options={outboundTypes.map(value => ({ value, label: value }))}
          onChange={eventType => to({ ...filters, eventType } as DeliveryFilters)}
        />
        {(filters.status === 'failed' || filters.status === 'retrying' || hasFailed) && (
          <Button variant="default" onClick={() => setIsRecoveryOpen(true)}>
            {t('webhooks.recover')}
          </Button>
        )}
      </Filters>
      <List
        title={t('webhooks.deliveries')}
        columns={deliveryId === undefined ? columns : columns.filter(({ key }) => columnsBesidePanel.has(key))}
        rows={toRows(query)}
        getId={row => row.id}
        selected={deliveryId}
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
          isFiltered ? (
            <Empty title={t('webhooks.noneFiltered')} />
          ) : (
            <Empty title={t('webhooks.noneTitle')} text={t('webhooks.noneText')} />
          )
        }
      />
      <RecoveryDialog opened={isRecoveryOpen} webhookId={webhookId} onClose={() => setIsRecoveryOpen(false)} />
    </div>
  )
}

/** Columns that fit next to the side panel. */
const columnsBesidePanel: ReadonlySet<string> = new Set(['type', 'status', 'when'])

const useColumns = (webhook: Schemas['Webhook'], filters: DeliveryFilters): Column<Row>[] => {
  const webhookId = webhook.id
  const blockReason = getBlockReason(webhook)
  const t = useTranslate()
  const numbers = useNumbers()
  const attemptResult = useAttemptResult()
  return [
    {
      key: 'when',
      title: t('webhooks.time'),
      width: '110px',
      phone: 'aside',
      cell: row => <Time at={row.createdAt} />,
    },
    {
      key: 'type',
      title: t('webhooks.eventType'),
      width: 'minmax(130px, 1fr)',
      phone: 'title',
      cell: row => (
        <Link
          className={ui.rowLink}
          to="/webhooks/$id/deliveries/$deliveryId"
          params={{ id: webhookId, deliveryId: row.id }}
          search={filters}
        >
          {row.eventType}
        </Link>
      ),
    },
    {
      key: 'status',
      title: t('webhooks.status'),
      width: '130px',
      phone: 'below',
      cell: row => <DeliveryStatus status={row.status} blockReason={blockReason} />,
    },
    {
      key: 'answer',
      title: t('webhooks.responseStatus'),
      width: 'minmax(80px, 1fr)',
      phone: 'end',
      cell: row => <bdi>{attemptResult(row)}</bdi>,
    },
    {
      key: 'next',
      title: t('webhooks.next'),
      width: '90px',
      cell: row =>
        row.nextAttemptAt && (blockReason ? t(`webhooks.next.${blockReason}`) : <Time at={row.nextAttemptAt} />),
    },
    {
      key: 'attempts',
      title: t('webhooks.attempts'),
      width: '80px',
      align: 'right',
      cell: row => numbers(row.attempts),
    },
    {
      key: 'took',
      title: t('webhooks.duration'),
      width: '80px',
      align: 'right',
      cell: row => row.durationMs !== null && <Duration ms={row.durationMs} />,
    },
  ]
}
