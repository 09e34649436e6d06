import { Button, TextInput } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { cursorPagination, listParams, toRows } from '../../api/pages.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { useDraft } from '../../ui/hooks/draft.ts'
import { UsersIcon } from '../../ui/icons.ts'
import { Filters, TextFilter } from '../../ui/list/Filters.tsx'
import { type Column, List } from '../../ui/list/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { type BulkAction, BulkDialog, bulkActions } from './BulkDialog.tsx'
import { ConsentStatus } from './ConsentStatus.tsx'
import { NamedCustomer } from './CustomerCell.tsx'
import { type CustomerFilters, isId, parseCustomerFilters, toQuery } from './filters.ts'
import { customerName } from './name.ts'

type Row = Schemas['Customer']

const route = getRouteApi('/signed/customers')

/** Customers page with a search over the name, the phone and the external id. */
export const Customers = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const { new: isAdding, ...rest } = route.useSearch()
  const filters = parseCustomerFilters(rest)
  const openForm = (isOpen: boolean) =>
    void navigate({ to: '/customers', search: isOpen ? { ...filters, new: true } : filters, replace: true })
  const [bulk, setBulk] = useState<{ action: BulkAction; customers: Row[]; clear: () => void } | null>(null)
  const query = hooks.useInfiniteQuery('get', '/v1/customers', listParams(toQuery(filters)), {
    ...cursorPagination,
    placeholderData: keepPreviousData,
  })
  const { q } = filters
  useEffect(() => {
    if (isId(q)) void navigate({ to: '/customers/$id', params: { id: q }, replace: true })
  }, [q, navigate])
  const filter = (change: { [Name in keyof CustomerFilters]: string | undefined }) =>
    void navigate({ to: '/customers', search: { ...filters, ...change } as CustomerFilters, replace: true })
  const isFiltered = filters.q !== undefined || filters.externalId !== undefined

  const columns: Column<Row>[] = [
    {
      key: 'name',
      title: t('customers.name'),
      width: 'minmax(160px, 2fr)',
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
      cell: row => <bdi className={ui.quietCell}>{row.email}</bdi>,
      value: row => row.email,
    },
    {
      key: 'externalId',
      title: t('customers.externalId'),
      width: 'minmax(120px, 1fr)',
      cell: row => <bdi className={ui.quietCell}>{row.externalId}</bdi>,
      value: row => row.externalId,
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
    },
  ]

  const addButton = <Button onClick={() => openForm(true)}>{t('customers.new')}</Button>
  const rows = toRows(query)
  // The empty page shows the add button in place of the rows.
  const isEmpty = rows.rows?.length === 0 && !isFiltered
  return (
    <Page title={t('customers.title')} text={t('customers.text')} actions={isEmpty ? undefined : addButton}>
      <Filters
        views="/customers"
        clear={isFiltered ? () => void navigate({ to: '/customers', search: {} }) : undefined}
      >
        <TextFilter label={t('customers.search')} value={filters.q} onChange={value => filter({ q: value })} />
        {filters.externalId !== undefined && (
          // The general search also covers the external id. This exact filter comes from shared addresses.
          <TextFilter
            label={t('customers.externalIdExactly')}
            value={filters.externalId}
            onChange={value => filter({ externalId: value })}
          />
        )}
      </Filters>
      <List
        title={t('customers.title')}
        exportName="customers"
        selection={(customers, clear) =>
          bulkActions.map(action => (
            <Button key={action} variant="default" onClick={() => setBulk({ action, customers, clear })}>
              {t(`customers.bulk.${action}`)}
            </Button>
          ))
        }
        columns={columns}
        rows={rows}
        getId={row => row.id}
        open={row => void navigate({ to: '/customers/$id', params: { id: row.id } })}
        empty={
          isFiltered ? (
            <Empty icon={UsersIcon} title={t('customers.emptyFiltered')}>
              {query.hasNextPage && (
                <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  {t('customers.continueSearch')}
                </Button>
              )}
            </Empty>
          ) : (
            <Empty
              icon={UsersIcon}
              title={t('customers.emptyTitle')}
              text={t('customers.emptyText')}
              docs="/docs/events"
            >
              {addButton}
            </Empty>
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
      {bulk && (
        <BulkDialog
          action={bulk.action}
          customers={bulk.customers}
          onClose={() => setBulk(null)}
          onDone={() => {
            bulk.clear()
            setBulk(null)
          }}
        />
      )}
    </Page>
  )
}

const NewCustomer = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const [name, setName, clearName] = useDraft('customers.new.name')
  const [phone, setPhone, clearPhone] = useDraft('customers.new.phone')
  const [externalId, setExternalId, clearExternalId] = useDraft('customers.new.externalId')
  const create = async () => {
    const { data } = await api.POST('/v1/customers', {
      body: {
        ...(name.trim() && { name: name.trim() }),
        ...(phone.trim() && { phone: phone.trim() }),
        ...(externalId.trim() && { externalId: externalId.trim() }),
      },
    })
    clearName()
    clearPhone()
    clearExternalId()
    await navigate({ to: '/customers/$id', params: { id: data!.id } })
  }
  return (
    <FormDialog
      opened={opened}
      title={t('customers.new')}
      text={t('customers.newText')}
      action={t('customers.create')}
      onClose={onClose}
      onSubmit={create}
    >
      <TextInput
        label={t('customers.name')}
        data-autofocus
        maxLength={200}
        value={name}
        onChange={event => setName(event.currentTarget.value)}
      />
      <TextInput
        label={t('customers.phone')}
        description={t('customers.phoneHint')}
        type="tel"
        value={phone}
        onChange={event => setPhone(event.currentTarget.value)}
      />
      <TextInput
        label={t('customers.externalId')}
        maxLength={200}
        value={externalId}
        onChange={event => setExternalId(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
