import { useMatches } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import type { Column } from '../../ui/list/List.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { EventIcon } from './EventIcon.tsx'
import { EventStatus, useEventStatusText } from './EventStatus.tsx'
import type { OutboundFilters } from './filters.ts'
import { CustomerName, customerIdOf, useEndpointNames } from './names.tsx'
import styles from './outbound.module.css'
import { SentTo } from './SentTo.tsx'
import { useSummary } from './useSummary.ts'

type Row = Schemas['OutboundEvent']

/** Columns that fit next to the side panel. */
const columnsBesidePanel: ReadonlySet<string> = new Set(['when', 'type', 'customer', 'status'])

/** Columns of the webhook events, or those that fit next to the side panel. */
export const useColumns = (filters: OutboundFilters, isBesidePanel: boolean): Column<Row>[] => {
  const t = useTranslate()
  const summary = useSummary()
  const statusText = useEventStatusText()
  const endpointName = useEndpointNames()
  // Characters of endpoint names in the width of their column.
  const maxNames = useMatches({ base: 18, lg: 32 }, { getInitialValueInEffect: false })
  const customerOrSummary = (row: Row) =>
    hasCustomer(row) ? <EventCustomer row={row} /> : <bdi className={styles.quiet}>{summary(row)}</bdi>
  /** Rows without the column of the endpoints name the one that matters. */
  const withEndpoint = (row: Row) => {
    const id = mainEndpoint(row)
    const name = id === undefined ? null : endpointName(id)
    return (
      <span className={styles.about}>
        <span>{customerOrSummary(row)}</span>
        {name && (
          <span className={styles.endpoint}>
            · <bdi>{name}</bdi>
          </span>
        )}
      </span>
    )
  }
  const columns: Column<Row>[] = [
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
      withoutWide: { title: t('outbound.customerOrSummary'), cell: isBesidePanel ? withEndpoint : customerOrSummary },
      phoneCell: withEndpoint,
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
      cell: row => <EventStatus event={row} />,
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
  return isBesidePanel ? columns.filter(({ key }) => columnsBesidePanel.has(key)) : columns
}

/** Returns the endpoint that delays an event, or the one that a test was for. */
const mainEndpoint = ({ type, status, deliveries, webhookIds }: Row): string | undefined =>
  status === 'retrying' || status === 'failed'
    ? deliveries.find(delivery => delivery.status === status)?.webhookId
    : type === 'ping'
      ? webhookIds[0]
      : undefined

const hasCustomer = (row: Row): boolean => customerIdOf(row) !== null || typeof row.data.handle === 'string'

/** Customer of an event. An opt-out names only the address. */
const EventCustomer = ({ row }: { row: Row }) => {
  const customerId = customerIdOf(row)
  if (customerId !== null) return <CustomerName id={customerId} />
  const { handle } = row.data
  return typeof handle === 'string' ? <bdi>{handle}</bdi> : <span className={styles.quiet}>–</span>
}
