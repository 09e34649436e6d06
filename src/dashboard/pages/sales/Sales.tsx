import { Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet, useMatch, useNavigate } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { cursorPagination, isUnused, pageReader, type Rows, toRows } from '../../api/pages.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { Empty, ExampleRow } from '../../ui/Empty.tsx'
import { BanknotesIcon } from '../../ui/icons.ts'
import { Figures } from '../../ui/list/Figures.tsx'
import { FilteredEmpty } from '../../ui/list/FilteredEmpty.tsx'
import { Filters, SelectFilter } from '../../ui/list/Filters.tsx'
import { type Column, List } from '../../ui/list/List.tsx'
import { hasFilters } from '../../ui/list/sort.ts'
import { Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { TimeRangeFilter } from '../../ui/time-range/TimeRangeFilter.tsx'
import { replaceTimeRange } from '../../ui/time-range/time-range.ts'
import ui from '../../ui/ui.module.css'
import { CustomerCell } from '../customers/CustomerCell.tsx'
import { CustomerSelect } from '../customers/CustomerSelect.tsx'
import { Amount } from './Amount.tsx'
import {
  origins,
  parseSaleFilters,
  type Sale,
  type SaleFilters,
  type SaleTotal,
  saleParams,
  states,
  totalsOf,
} from './filters.ts'
import { RecordedBy, useRecorderNames } from './RecordedBy.tsx'
import { SalesChart } from './SalesChart.tsx'

const route = getRouteApi('/signed/sales')

/** Sales page, with one sale in the side panel. */
export const Sales = () => {
  const t = useTranslate()
  const numbers = useNumbers()
  const navigate = useNavigate()
  const filters = parseSaleFilters(route.useSearch())
  const id = useMatch({ from: '/signed/sales/$id', shouldThrow: false })?.params.id
  const params = saleParams(filters)
  const query = hooks.useInfiniteQuery('get', '/v1/sales', params, {
    ...cursorPagination,
    placeholderData: keepPreviousData,
  })
  const filter = (search: { [Key in keyof SaleFilters]?: SaleFilters[Key] | null | undefined }) =>
    void navigate({ to: '/sales', search: parseSaleFilters(search) })
  const isFiltered = hasFilters(filters)
  const rows = toRows<Sale>(query)
  const isEmpty = rows.rows?.length === 0
  const hasNone = isUnused(query, isFiltered)
  const isFailed = query.error !== null && !query.data
  // Voided sales have no amounts to draw.
  const hasAmounts = rows.rows === undefined || totalsOf(rows.rows).length > 0
  // Almost every sale is valid, so the column appears with the first voided one.
  const hasVoided = rows.rows?.some(({ voidedAt }) => voidedAt !== null) ?? false
  const columns = useColumns(filters).map(column =>
    column.key === 'state' && !hasVoided ? { ...column, exportOnly: true } : column,
  )
  return (
    <div className={ui.withPanel}>
      <Page title={t('sales.title')} text={t('sales.text')}>
        {!hasNone && (
          <Filters views={{ list: 'sales', path: '/sales' }} clear={isFiltered ? () => filter({}) : undefined}>
            <TimeRangeFilter value={filters} onChange={range => filter({ ...filters, ...replaceTimeRange(range) })} />
            <CustomerSelect
              chip
              label={t('sales.customer')}
              value={filters.customerId ?? null}
              onChange={customerId => filter({ ...filters, customerId })}
            />
            <SelectFilter
              label={t('sales.origin')}
              value={filters.markedBy}
              options={origins.map(value => ({ value, label: t(`sales.origin.${value}`) }))}
              onChange={markedBy => filter({ ...filters, markedBy })}
            />
            <SelectFilter
              label={t('sales.state')}
              value={filters.voided}
              options={states.map(value => ({ value, label: t(value === 'true' ? 'sales.voided' : 'sales.valid') }))}
              onChange={voided => filter({ ...filters, voided })}
            />
          </Filters>
        )}
        {!isEmpty && !isFailed && (
          <>
            <SaleFigures rows={rows} />
            {hasAmounts && <SalesChart rows={rows} filters={filters} filter={filter} />}
          </>
        )}
        <List
          // A list without the chart is another element: a reused one would move by the height of the chart.
          key={isFailed || !hasAmounts ? 'other' : 'rows'}
          title={t('sales.title')}
          columns={columns}
          rows={rows}
          getId={row => row.id}
          selected={id}
          exportName="sales"
          readPage={pageReader('/v1/sales', params)}
          order={{ column: 'when', sort: filters.sort, onChange: sort => filter({ ...filters, sort }) }}
          live={{
            kinds: ['outbound_event'],
            refresh: () => void query.refetch(),
            isRelevant: ({ fields }) => fields.type === 'sale.created',
          }}
          open={row => void navigate({ to: '/sales/$id', params: { id: row.id }, search: filters })}
          empty={
            hasNone ? (
              <Empty
                icon={BanknotesIcon}
                title={t('sales.emptyTitle')}
                text={t('sales.emptyText')}
                docs="/docs/start"
                example={
                  <ExampleRow
                    lead={<Avatar name={t('customers.example')} size={32} />}
                    title={t('customers.example')}
                    text={t('sales.example')}
                    aside={numbers(129.9, { style: 'currency', currency: 'EUR' })}
                  />
                }
              >
                <Button renderRoot={(props: object) => <Link {...props} to="/inbox" />}>{t('sales.emptyDo')}</Button>
              </Empty>
            ) : (
              <FilteredEmpty
                icon={BanknotesIcon}
                title={t('sales.emptyFiltered')}
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

/** Number, total and average of the loaded sales without the voided ones. The labels say if there are more. */
const SaleFigures = ({ rows: { rows, loadMore } }: { rows: Rows<Sale> }) => {
  const t = useTranslate()
  const numbers = useNumbers()
  const totals = rows && totalsOf(rows)
  const money = (amount: (total: SaleTotal) => number) =>
    totals?.map(total => numbers(amount(total), { style: 'currency', currency: total.currency })).join(' + ') || null
  const shown = { shown: loadMore === null ? 'all' : 'some', count: rows?.length ?? 0 }
  return (
    <Figures
      figures={[
        { label: t('sales.total', shown), value: money(({ amount }) => amount) },
        { label: t('sales.title'), value: totals ? numbers(totals.reduce((sum, { count }) => sum + count, 0)) : null },
        { label: t('sales.average'), value: money(({ amount, count }) => amount / count) },
      ]}
    />
  )
}

const useColumns = (filters: SaleFilters): Column<Sale>[] => {
  const t = useTranslate()
  const recorderOf = useRecorderNames()
  return [
    {
      key: 'when',
      title: t('sales.time'),
      width: '110px',
      phone: 'aside',
      value: row => row.createdAt,
      cell: row => (
        <span className={ui.quietCell}>
          <Time at={row.createdAt} />
        </span>
      ),
    },
    {
      key: 'customer',
      title: t('sales.customer'),
      width: 'minmax(150px, 1fr)',
      phone: 'title',
      exportValue: row => row.customerId,
      customerId: row => row.customerId,
      cell: row => (
        <Link className={ui.rowLink} to="/sales/$id" params={{ id: row.id }} search={filters}>
          <CustomerCell id={row.customerId} />
        </Link>
      ),
    },
    {
      key: 'amount',
      title: t('sales.amount'),
      width: '120px',
      align: 'right',
      phone: 'end',
      value: row => row.amount,
      cell: row => <Amount sale={row} />,
    },
    { key: 'currency', title: t('sales.currency'), exportOnly: true, value: row => row.currency, cell: () => null },
    {
      key: 'note',
      title: t('sales.note'),
      width: 'minmax(160px, 2fr)',
      phone: 'below',
      value: row => row.note,
      cell: row => <bdi>{row.note}</bdi>,
    },
    {
      key: 'origin',
      title: t('sales.origin'),
      width: '130px',
      value: row => t(`sales.origin.${row.markedBy.type}`),
      cell: row => t(`sales.origin.${row.markedBy.type}`),
    },
    {
      key: 'by',
      title: t('sales.by'),
      width: 'minmax(130px, 1fr)',
      value: recorderOf,
      cell: row => <RecordedBy sale={row} name={recorderOf(row)} />,
    },
    {
      key: 'state',
      title: t('sales.state'),
      width: '110px',
      value: row => t(row.voidedAt ? 'sales.voided' : 'sales.valid'),
      // Almost every sale is valid, so only the exception is named.
      cell: row => row.voidedAt && <Status tone="off">{t('sales.voided')}</Status>,
    },
  ]
}
