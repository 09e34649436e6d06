import { Anchor, Button, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { byCursor, listOf, rowsOf } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Choice, Filters, Wanted } from '../../ui/Filters.tsx'
import { type Column, List } from '../../ui/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Samples } from '../../ui/ShownOnce.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { firstCalls } from '../api-keys/samples.ts'
import { CustomerSelect } from '../customers/CustomerSelect.tsx'
import { customerName } from '../customers/name.ts'
import styles from './events.module.css'
import { type EventFilters, eventFilters, filterBy, outcomeOf, outcomes, senders } from './filters.ts'
import { useEventTypes } from './types.ts'

type Row = Schemas['ActivityEvent']

/** Events page, newest first, with one event in the side panel. */
export const Events = () => {
  const say = useTexts()
  const navigate = useNavigate()
  const filters = eventFilters(useSearch({ strict: false }))
  const { id } = useParams({ strict: false }) as { id?: string }
  const query = hooks.useInfiniteQuery('get', '/v1/activity/events', listOf(filters), {
    ...byCursor,
    placeholderData: keepPreviousData,
  })
  const [typesWanted, setTypesWanted] = useState(false)
  const types = useEventTypes(typesWanted)
  const filter = (search: EventFilters) => void navigate({ to: '/events', search })
  const filtered = Object.keys(filters).length > 0
  const isEmpty = !filtered && !query.isPlaceholderData && query.data?.pages[0]?.data.length === 0

  const columns: Column<Row>[] = [
    {
      key: 'when',
      title: say('events.when'),
      width: '110px',
      cell: row => <Time at={row.createdAt} />,
      phone: 'aside',
    },
    {
      key: 'type',
      title: say('events.type'),
      width: 'minmax(150px, 1fr)',
      phone: 'title',
      cell: row => (
        <Link className={ui.rowLink} to="/events/$id" params={{ id: row.id }} search={filters}>
          {row.type}
        </Link>
      ),
    },
    {
      key: 'customer',
      title: say('events.customer'),
      width: 'minmax(130px, 1fr)',
      phone: 'below',
      cell: row => <bdi>{customerName(row.customer) ?? say('events.erased')}</bdi>,
    },
    { key: 'sender', title: say('events.sender'), width: '100px', cell: row => row.sender },
    {
      key: 'started',
      title: say('events.started'),
      width: 'minmax(160px, 2fr)',
      phone: 'end',
      cell: row => <Started row={row} />,
    },
  ]

  return (
    <div className={ui.withPanel}>
      <Page
        title={say('events.title')}
        text={say('events.text')}
        actions={
          isEmpty ? undefined : (
            <Button
              variant="default"
              renderRoot={(props: object) => <Link {...props} to="/events/send" search={filters} />}
            >
              {say('events.sendTest')}
            </Button>
          )
        }
      >
        <Filters clear={filtered ? () => void navigate({ to: '/events', search: {} }) : undefined}>
          <Wanted
            label={say('events.typeExact')}
            value={filters.type}
            offered={types}
            onFocus={() => setTypesWanted(true)}
            onChange={type => filter(eventFilters({ ...filters, type }))}
          />
          <Choice
            label={say('events.started')}
            value={outcomeOf(filters)}
            options={outcomes.map(value => ({ value, label: say(`events.outcome.${value}`) }))}
            onChange={outcome => filter(eventFilters({ ...filters, ...filterBy(outcome) }))}
          />
          <Choice
            label={say('events.sender')}
            value={filters.sender}
            options={senders.map(value => ({ value, label: value }))}
            searchable
            onChange={sender => filter(eventFilters({ ...filters, sender }))}
          />
          <CustomerSelect
            chip
            label={say('events.customer')}
            placeholder={`${say('events.customer')}: ${say('filter.any')}`}
            value={filters.customerId ?? null}
            onChange={customerId => filter(eventFilters({ ...filters, customerId }))}
          />
        </Filters>
        <List
          title={say('events.title')}
          columns={columns}
          rows={rowsOf(query)}
          idOf={row => row.id}
          selected={id}
          live={{ kinds: ['event'], refresh: () => void query.refetch() }}
          open={row => void navigate({ to: '/events/$id', params: { id: row.id }, search: filters })}
          empty={
            filtered ? (
              <Empty
                title={say('events.emptyFiltered')}
                {...(filters.type !== undefined && { text: say('events.emptyExact', { type: filters.type }) })}
              />
            ) : (
              <Empty title={say('events.emptyTitle')} text={say('events.emptyText')}>
                <Button renderRoot={(props: object) => <Link {...props} to="/events/send" />}>
                  {say('events.sendTest')}
                </Button>
                <FirstCall />
              </Empty>
            )
          }
        />
      </Page>
      <Outlet />
    </div>
  )
}

const Started = ({ row }: { row: Row }) => {
  const say = useTexts()
  if (row.automations.length === 0) {
    return row.reason ? <Status tone="off">{say(`events.reason.${row.reason}`)}</Status> : null
  }
  return (
    <span className={styles.automations}>
      {row.automations.map(({ runId, name }) => (
        <Link key={runId} className={ui.inLink} to="/runs/$id" params={{ id: runId }}>
          {name}
        </Link>
      ))}
    </span>
  )
}

/** Sample call for the first event. The API key is never included: it is shown only when it is issued. */
const FirstCall = () => {
  const say = useTexts()
  const owner = useIsOwner()
  return (
    <div className={styles.firstCall}>
      <Text size="sm" mb="xs">
        {say('events.emptyCall')}{' '}
        {owner && (
          <Anchor size="sm" underline="always" renderRoot={(props: object) => <Link {...props} to="/api-keys" />}>
            {say('events.emptyKey')}
          </Anchor>
        )}
      </Text>
      <Samples title={say('events.emptyCall')} of={firstCalls(location.origin, say('events.yourKey'))} />
    </div>
  )
}
