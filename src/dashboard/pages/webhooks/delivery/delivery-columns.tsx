/** Columns of the list of deliveries. */
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../../api/client.ts'
import { useNumbers, useTranslate } from '../../../texts/index.tsx'
import type { Column } from '../../../ui/list/List.tsx'
import { Duration, Time } from '../../../ui/Time.tsx'
import ui from '../../../ui/ui.module.css'
import { EventIcon } from '../../outbound/EventIcon.tsx'
import { DeliveryStatus, getBlockReason, getShownStatus, useAttemptResult } from '../delivery-status.tsx'
import styles from '../webhooks.module.css'
import type { DeliveryFilters } from './filters.ts'

export type DeliveryRow = Schemas['Delivery']

/** Widths of the columns that fit next to the side panel. */
const narrowWidths: Record<string, string> = { when: '76px', type: 'minmax(96px, 1fr)', status: '92px' }

/** Returns the columns that fit next to the side panel. */
export const toNarrow = (columns: Column<DeliveryRow>[]): Column<DeliveryRow>[] =>
  columns.flatMap(column => {
    const width = narrowWidths[column.key]
    return width === undefined ? [] : [{ ...column, width }]
  })

/** Columns of the list. All fit into a window of 1024 px, also with the next attempt and the sort icons. */
export const useDeliveryColumns = (
  webhook: Schemas['Webhook'],
  filters: DeliveryFilters,
  /** Rows of the list. Without a next attempt in any of them, only an export has its column. */
  rows: DeliveryRow[] | undefined,
): Column<DeliveryRow>[] => {
  const webhookId = webhook.id
  const blockReason = getBlockReason(webhook)
  const t = useTranslate()
  const numbers = useNumbers()
  const attemptResult = useAttemptResult()
  return [
    {
      key: 'when',
      title: t('webhooks.time'),
      width: 'minmax(76px, 96px)',
      phone: 'aside',
      value: row => row.createdAt,
      cell: row => (
        <span className={styles.none}>
          <Time at={row.createdAt} />
        </span>
      ),
    },
    {
      key: 'type',
      title: t('webhooks.eventType'),
      width: 'minmax(140px, 2fr)',
      phone: 'title',
      value: row => row.eventType,
      cell: row => (
        <>
          <EventIcon type={row.eventType} />
          <Link
            className={ui.rowLink}
            to="/webhooks/$id/deliveries/$deliveryId"
            params={{ id: webhookId, deliveryId: row.id }}
            search={filters}
          >
            {row.eventType}
          </Link>
        </>
      ),
    },
    {
      key: 'status',
      title: t('webhooks.status'),
      width: 'minmax(76px, 96px)',
      phone: 'below',
      value: row => t(`webhooks.status.${getShownStatus(row.status, blockReason)}`),
      cell: row => <DeliveryStatus status={row.status} blockReason={blockReason} />,
      phoneCell: row => (
        <span className={styles.phoneStatus}>
          <DeliveryStatus status={row.status} blockReason={blockReason} />
          {!blockReason && row.nextAttemptAt && Date.parse(row.nextAttemptAt) > Date.now() && (
            <Time at={row.nextAttemptAt} />
          )}
        </span>
      ),
    },
    {
      key: 'answer',
      title: t('webhooks.responseStatus'),
      width: 'minmax(76px, 1fr)',
      phone: 'end',
      value: row => row.statusCode ?? row.error,
      cell: row => <bdi>{attemptResult(row)}</bdi>,
    },
    {
      key: 'next',
      title: t('webhooks.next'),
      width: 'minmax(96px, 112px)',
      exportOnly: rows?.every(row => row.nextAttemptAt === null) ?? true,
      value: row => (blockReason ? null : row.nextAttemptAt),
      exportValue: row => (row.nextAttemptAt && blockReason ? t(`webhooks.next.${blockReason}`) : row.nextAttemptAt),
      cell: row =>
        row.nextAttemptAt === null ? (
          <span className={styles.none}>–</span>
        ) : blockReason ? (
          t(`webhooks.next.${blockReason}`)
        ) : (
          <NextAttempt at={row.nextAttemptAt} />
        ),
    },
    {
      key: 'attempts',
      title: t('webhooks.attempts'),
      width: 'minmax(82px, 90px)',
      align: 'right',
      value: row => row.attempts,
      cell: row => numbers(row.attempts),
    },
    {
      key: 'took',
      title: t('webhooks.duration'),
      width: 'minmax(74px, 90px)',
      align: 'right',
      value: row => row.durationMs,
      cell: row => row.durationMs !== null && <Duration ms={row.durationMs} />,
    },
  ]
}

/** Time of the next attempt. One that is due is being made. */
const NextAttempt = ({ at }: { at: string }) => {
  const t = useTranslate()
  return Date.parse(at) <= Date.now() ? t('webhooks.next.now') : <Time at={at} />
}
