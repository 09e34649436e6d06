import { Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { byCursor, pageSize, rowsOf } from '../../api/pages.ts'
import { useNumbers, useTexts } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Choice, Filters } from '../../ui/Filters.tsx'
import { type Column, List } from '../../ui/List.tsx'
import { Duration, Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { type DeliveryFilters, deliverable, deliveryFilters, deliveryStatuses } from './filters.ts'
import { useHealth } from './Health.tsx'
import { RecoveryDialog } from './Recovery.tsx'
import styles from './webhooks.module.css'
import { DeliveryStatus, notAttempted, useAnswer } from './words.tsx'

type Row = Schemas['Delivery']

/** Deliveries of an endpoint, newest first. */
export const Deliveries = ({ webhook }: { webhook: Schemas['Webhook'] }) => {
  const { id: webhookId } = webhook
  const say = useTexts()
  const navigate = useNavigate()
  const filters = deliveryFilters(useSearch({ strict: false }))
  const { deliveryId } = useParams({ strict: false }) as { deliveryId?: string }
  const [recovering, setRecovering] = useState(false)
  const query = hooks.useInfiniteQuery(
    'get',
    '/v1/webhooks/{id}/deliveries',
    { params: { path: { id: webhookId }, query: { limit: pageSize, ...filters } } },
    { ...byCursor, placeholderData: keepPreviousData },
  )
  const to = (search: DeliveryFilters) => void navigate({ to: '/webhooks/$id', params: { id: webhookId }, search })
  const filtered = filters.status !== undefined || filters.eventType !== undefined
  const columns = useColumns(webhook, filters)
  const someFailed =
    useHealth(webhookId).data?.last50.some(({ status }) => status === 'failed' || status === 'retrying') ?? false
  return (
    <div className={deliveryId === undefined ? styles.deliveries : `${styles.deliveries} ${styles.narrow}`}>
      <Filters clear={filtered ? () => to({}) : undefined}>
        <Choice
          label={say('webhooks.status')}
          value={filters.status}
          options={deliveryStatuses.map(value => ({ value, label: say(`webhooks.status.${value}`) }))}
          onChange={status => to({ ...filters, status } as DeliveryFilters)}
        />
        <Choice
          label={say('webhooks.eventType')}
          value={filters.eventType}
          options={deliverable.map(value => ({ value, label: value }))}
          onChange={eventType => to({ ...filters, eventType } as DeliveryFilters)}
        />
        {(filters.status === 'failed' || filters.status === 'retrying' || someFailed) && (
          <Button variant="default" onClick={() => setRecovering(true)}>
            {say('webhooks.recover')}
          </Button>
        )}
      </Filters>
      <List
        title={say('webhooks.deliveries')}
        columns={deliveryId === undefined ? columns : columns.filter(({ key }) => beside.has(key))}
        rows={rowsOf(query)}
        idOf={row => row.id}
        selected={deliveryId}
        live={{
          kinds: ['delivery'],
          refresh: () => void query.refetch(),
          matters: ({ fields }) => (fields.webhookId ?? webhookId) === webhookId,
        }}
        open={row =>
          void navigate({
            to: '/webhooks/$id/deliveries/$deliveryId',
            params: { id: webhookId, deliveryId: row.id },
            search: filters,
          })
        }
        empty={
          filtered ? (
            <Empty title={say('webhooks.noneFiltered')} />
          ) : (
            <Empty title={say('webhooks.noneTitle')} text={say('webhooks.noneText')} />
          )
        }
      />
      <RecoveryDialog opened={recovering} webhookId={webhookId} onClose={() => setRecovering(false)} />
    </div>
  )
}

/** Columns that fit next to the side panel. */
const beside: ReadonlySet<string> = new Set(['type', 'status', 'when'])

const useColumns = (webhook: Schemas['Webhook'], filters: DeliveryFilters): Column<Row>[] => {
  const webhookId = webhook.id
  const without = notAttempted(webhook)
  const say = useTexts()
  const numbers = useNumbers()
  const answer = useAnswer()
  return [
    {
      key: 'when',
      title: say('webhooks.when'),
      width: '110px',
      phone: 'aside',
      cell: row => <Time at={row.createdAt} />,
    },
    {
      key: 'type',
      title: say('webhooks.eventType'),
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
      title: say('webhooks.status'),
      width: '130px',
      phone: 'below',
      cell: row => <DeliveryStatus status={row.status} without={without} />,
    },
    {
      key: 'answer',
      title: say('webhooks.answer'),
      width: 'minmax(80px, 1fr)',
      phone: 'end',
      cell: row => <bdi>{answer(row)}</bdi>,
    },
    {
      key: 'next',
      title: say('webhooks.next'),
      width: '90px',
      cell: row => row.nextAttemptAt && (without ? say(`webhooks.next.${without}`) : <Time at={row.nextAttemptAt} />),
    },
    {
      key: 'attempts',
      title: say('webhooks.attempts'),
      width: '80px',
      align: 'right',
      cell: row => numbers(row.attempts),
    },
    {
      key: 'took',
      title: say('webhooks.took'),
      width: '80px',
      align: 'right',
      cell: row => row.durationMs !== null && <Duration ms={row.durationMs} />,
    },
  ]
}
