import { Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Fragment, useEffect } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { cursorPagination, isUnused, listParams, pageReader, toRows } from '../../api/pages.ts'
import { useTranslate } from '../../texts/index.tsx'
import { isolate } from '../../texts/isolate.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Empty, ExampleRow } from '../../ui/Empty.tsx'
import { UsersIcon } from '../../ui/icons.ts'
import { FilteredEmpty } from '../../ui/list/FilteredEmpty.tsx'
import { Filters, SelectFilter, TextFilter } from '../../ui/list/Filters.tsx'
import { type Column, List } from '../../ui/list/List.tsx'
import { hasFilters } from '../../ui/list/sort.ts'
import { Page } from '../../ui/Page.tsx'
import { PlusIcon } from '../../ui/page-icons.ts'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { TimeRangeFilter } from '../../ui/time-range/TimeRangeFilter.tsx'
import { replaceTimeRange } from '../../ui/time-range/time-range.ts'
import ui from '../../ui/ui.module.css'
import { formatAttribute } from './attribute.ts'
import { ConsentStatus } from './ConsentStatus.tsx'
import { bulkActions, CustomerBulkDialog } from './CustomerBulkDialog.tsx'
import { NamedCustomer } from './CustomerCell.tsx'
import { consents, isId, parseCustomerFilters, toQuery } from './filters.ts'
import { NewCustomer } from './NewCustomer.tsx'
import { customerName } from './name.ts'

type Row = Schemas['Customer']

const route = getRouteApi('/signed/customers')

/** Maximum number of attributes in a row. */
const shownAttributes = 3

/** First attributes of a customer. Each text is isolated, so that its direction doesn't change that of the next one. */
const AttributeList = ({ attributes }: Row) => {
  const shown = Object.entries(attributes)
    .slice(0, shownAttributes)
    .map(([name, value]) => [name, formatAttribute(value)] as const)
  if (shown.length === 0) return '–'
  return (
    <span className={ui.quietCell} title={shown.map(texts => texts.map(isolate).join(': ')).join(' · ')}>
      {shown.map(([name, value], index) => (
        <Fragment key={name}>
          {index > 0 && ' · '}
          <bdi>{name}</bdi>: <bdi>{value}</bdi>
        </Fragment>
      ))}
    </span>
  )
}

/** Customers page with a search over the name, the phone and the external id, and filters. */
export const Customers = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const { new: isAdding, ...rest } = route.useSearch()
  const filters = parseCustomerFilters(rest)
  const openForm = (isOpen: boolean) =>
    void navigate({ to: '/customers', search: isOpen ? { ...filters, new: true } : filters, replace: true })
  const params = listParams(toQuery(filters))
  const query = hooks.useInfiniteQuery('get', '/v1/customers', params, {
    ...cursorPagination,
    placeholderData: keepPreviousData,
  })
  const { q } = filters
  useEffect(() => {
    if (isId(q)) void navigate({ to: '/customers/$id', params: { id: q }, replace: true })
  }, [q, navigate])
  const filter = (change: Record<string, unknown>) =>
    void navigate({ to: '/customers', search: parseCustomerFilters({ ...filters, ...change }), replace: true })
  const clear = () => void navigate({ to: '/customers', search: {} })
  const isFiltered = hasFilters(filters)
  const channels = hooks.useQuery('get', '/v1/channels', { params: { query: { limit: 100 } } }, { staleTime: 60_000 })

  const rows = toRows(query)
  const isUsed = (name: 'email' | 'externalId') => rows.rows?.some(row => row[name] !== null) ?? false
  const columns: Column<Row>[] = [
    {
      key: 'name',
      title: t('customers.name'),
      width: 'minmax(160px, 1.4fr)',
      phone: 'title',
      cell: row => (
        <Link className={ui.rowLink} to="/customers/$id" params={{ id: row.id }}>
          <NamedCustomer name={row.name} label={customerName(row)} />
        </Link>
      ),
      value: row => customerName(row),
    },
    {
      key: 'phone',
      title: t('customers.phone'),
      width: 'minmax(130px, 1fr)',
      phone: 'below',
      cell: row => <span className="tabular">{row.phone}</span>,
      value: row => row.phone,
    },
    {
      key: 'email',
      title: t('customers.email'),
      width: 'minmax(150px, 1fr)',
      wide: true,
      exportOnly: !isUsed('email'),
      cell: row => <bdi className={ui.quietCell}>{row.email}</bdi>,
      value: row => row.email,
    },
    {
      key: 'externalId',
      title: t('customers.externalId'),
      width: 'minmax(120px, 1fr)',
      exportOnly: !isUsed('externalId'),
      cell: row => <bdi className={ui.quietCell}>{row.externalId}</bdi>,
      value: row => row.externalId,
    },
    {
      key: 'attributes',
      title: t('customers.attributes'),
      width: 'minmax(160px, 1.2fr)',
      wide: true,
      exportOnly: rows.rows?.every(row => Object.keys(row.attributes).length === 0) ?? true,
      cell: row => <AttributeList {...row} />,
      exportValue: ({ attributes }) => (Object.keys(attributes).length > 0 ? JSON.stringify(attributes) : null),
    },
    {
      key: 'consent',
      title: t('customers.consent'),
      width: '120px',
      phone: 'end',
      cell: row => <ConsentStatus customer={row} />,
      value: row => t(`customers.${row.optedOutAt ? 'optedOut' : row.optedInAt ? 'optedIn' : 'noConsent'}`),
    },
    {
      key: 'since',
      title: t('customers.since'),
      width: '120px',
      phone: 'aside',
      value: row => row.createdAt,
      cell: row => (
        <span className={ui.quietCell}>
          <Time at={row.createdAt} />
        </span>
      ),
      phoneCell: row => (
        <span className={ui.quietCell}>
          {t('customers.since')} <Time at={row.createdAt} />
        </span>
      ),
    },
  ]

  const addButton = (
    <Button leftSection={<PlusIcon width={14} />} onClick={() => openForm(true)}>
      {t('customers.new')}
    </Button>
  )
  // The empty page shows the add button in place of the rows.
  const isEmpty = isUnused(query, isFiltered)
  return (
    <Page title={t('customers.title')} text={t('customers.text')} actions={isEmpty ? undefined : addButton}>
      {!isEmpty && (
        <Filters views={{ list: 'customers', path: '/customers' }} clear={isFiltered ? clear : undefined}>
          <TextFilter label={t('customers.search')} value={filters.q} onChange={value => filter({ q: value })} />
          {filters.externalId !== undefined && (
            // The general search also covers the external id. This exact filter comes from shared addresses.
            <TextFilter
              label={t('customers.externalIdExactly')}
              value={filters.externalId}
              onChange={value => filter({ externalId: value })}
            />
          )}
          <SelectFilter
            label={t('customers.consent')}
            value={filters.consent}
            options={consents.map(value => ({ value, label: t(`customers.filterConsent.${value}`) }))}
            onChange={consent => filter({ consent })}
          />
          <SelectFilter
            label={t('customers.channel')}
            value={filters.channelId}
            options={(channels.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            searchable
            onChange={channelId => filter({ channelId })}
          />
          <TimeRangeFilter value={filters} onChange={range => filter(replaceTimeRange(range))} />
        </Filters>
      )}
      <List
        title={t('customers.title')}
        exportName="customers"
        readPage={pageReader('/v1/customers', params)}
        order={{ column: 'since', sort: filters.sort, onChange: sort => filter({ sort }) }}
        selection={customers =>
          bulkActions.map(action => ({
            key: action,
            label: t(`customers.bulk.${action}`),
            dialog: onClose => <CustomerBulkDialog action={action} customers={customers} onClose={onClose} />,
          }))
        }
        columns={columns}
        rows={rows}
        getId={row => row.id}
        open={row => void navigate({ to: '/customers/$id', params: { id: row.id } })}
        empty={
          isEmpty ? (
            <Empty
              icon={UsersIcon}
              title={t('customers.emptyTitle')}
              text={t('customers.emptyText')}
              docs="/docs/events"
              example={
                <ExampleRow
                  lead={<Avatar name={t('customers.example')} size={32} />}
                  title={t('customers.example')}
                  text="+1 202 555 0101"
                  aside={<Status tone="done">{t('customers.optedIn')}</Status>}
                />
              }
            >
              {addButton}
            </Empty>
          ) : (
            <FilteredEmpty
              icon={UsersIcon}
              title={t('customers.emptyFiltered')}
              text={t('customers.emptyFilteredText')}
              clear={clear}
              query={query}
            />
          )
        }
      />
      <NewCustomer
        opened={isAdding === true}
        onClose={() => {
          // A created customer has its page open already.
          if (location.pathname === '/customers') openForm(false)
        }}
      />
    </Page>
  )
}
