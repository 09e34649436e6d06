import { Button, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { byCursor, listOf, rowsOf } from '../../api/pages.ts'
import { useTexts } from '../../texts/index.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Filters, Wanted } from '../../ui/Filters.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { type Column, List } from '../../ui/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { ConsentStatus } from './Consent.tsx'
import { type CustomerFilters, customerFilters, isId, queryOf } from './filters.ts'
import { customerName } from './name.ts'

type Row = Schemas['Customer']

/** Customers page with a search over the name, the phone and the external id. */
export const Customers = () => {
  const say = useTexts()
  const navigate = useNavigate()
  const filters = customerFilters(useSearch({ strict: false }))
  const [adding, dialog] = useDisclosure(false)
  const query = hooks.useInfiniteQuery('get', '/v1/customers', listOf(queryOf(filters)), {
    ...byCursor,
    placeholderData: keepPreviousData,
  })
  const { q } = filters
  useEffect(() => {
    if (isId(q)) void navigate({ to: '/customers/$id', params: { id: q }, replace: true })
  }, [q, navigate])
  const filter = (change: { [Name in keyof CustomerFilters]: string | undefined }) =>
    void navigate({ to: '/customers', search: { ...filters, ...change } as CustomerFilters, replace: true })
  const filtered = filters.q !== undefined || filters.externalId !== undefined

  const columns: Column<Row>[] = [
    {
      key: 'name',
      title: say('customers.name'),
      width: 'minmax(160px, 2fr)',
      phone: 'title',
      cell: row => (
        <Link className={ui.rowLink} to="/customers/$id" params={{ id: row.id }}>
          <bdi>{customerName(row)}</bdi>
        </Link>
      ),
    },
    {
      key: 'phone',
      title: say('customers.phone'),
      width: 'minmax(130px, 1fr)',
      phone: 'below',
      cell: row => <span className="tabular">{row.phone}</span>,
    },
    {
      key: 'externalId',
      title: say('customers.externalId'),
      width: 'minmax(120px, 1fr)',
      cell: row => <bdi>{row.externalId}</bdi>,
    },
    {
      key: 'consent',
      title: say('customers.consent'),
      width: '120px',
      phone: 'end',
      cell: row => <ConsentStatus of={row} />,
    },
    {
      key: 'since',
      title: say('customers.since'),
      width: '120px',
      phone: 'aside',
      cell: row => <Time at={row.createdAt} />,
    },
  ]

  const add = <Button onClick={dialog.open}>{say('customers.new')}</Button>
  const rows = rowsOf(query)
  // The empty page shows the add button in place of the rows.
  const isEmpty = rows.rows?.length === 0 && !filtered
  return (
    <Page title={say('customers.title')} text={say('customers.text')} actions={isEmpty ? undefined : add}>
      <Filters clear={filtered ? () => void navigate({ to: '/customers', search: {} }) : undefined}>
        <Wanted label={say('customers.search')} value={filters.q} onChange={value => filter({ q: value })} />
        {filters.externalId !== undefined && (
          // The general search also covers the external id. This exact filter comes from shared addresses.
          <Wanted
            label={say('customers.externalIdExactly')}
            value={filters.externalId}
            onChange={value => filter({ externalId: value })}
          />
        )}
      </Filters>
      <List
        title={say('customers.title')}
        columns={columns}
        rows={rows}
        idOf={row => row.id}
        open={row => void navigate({ to: '/customers/$id', params: { id: row.id } })}
        empty={
          filtered ? (
            <Empty title={say('customers.emptyFiltered')}>
              {query.hasNextPage && (
                <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  {say('customers.goOn')}
                </Button>
              )}
            </Empty>
          ) : (
            <Empty title={say('customers.emptyTitle')} text={say('customers.emptyText')}>
              {add}
            </Empty>
          )
        }
      />
      <NewCustomer opened={adding} onClose={dialog.close} />
    </Page>
  )
}

const NewCustomer = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const say = useTexts()
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
    void navigate({ to: '/customers/$id', params: { id: data!.id } })
  }
  return (
    <FormDialog
      opened={opened}
      title={say('customers.new')}
      text={say('customers.newText')}
      action={say('customers.create')}
      onClose={onClose}
      onSubmit={create}
    >
      <TextInput
        label={say('customers.name')}
        data-autofocus
        maxLength={200}
        value={name}
        onChange={event => setName(event.currentTarget.value)}
      />
      <TextInput
        label={say('customers.phone')}
        description={say('customers.phoneHint')}
        type="tel"
        value={phone}
        onChange={event => setPhone(event.currentTarget.value)}
      />
      <TextInput
        label={say('customers.externalId')}
        maxLength={200}
        value={externalId}
        onChange={event => setExternalId(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
