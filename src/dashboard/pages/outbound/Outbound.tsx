import { Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { byCursor, listOf, rowsOf } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Choice, Filters } from '../../ui/Filters.tsx'
import { type Column, List } from '../../ui/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { About } from './About.tsx'
import { type OutboundFilters, outboundFilters, types } from './filters.ts'

type Row = Schemas['OutboundEvent']

/** Outbound events page, newest first, with one event in the side panel. */
export const Outbound = () => {
  const say = useTexts()
  const navigate = useNavigate()
  const owner = useIsOwner()
  const filters = outboundFilters(useSearch({ strict: false }))
  const { id } = useParams({ strict: false }) as { id?: string }
  const query = hooks.useInfiniteQuery('get', '/v1/outbound-events', listOf(filters), {
    ...byCursor,
    placeholderData: keepPreviousData,
  })
  const filter = (search: OutboundFilters) => void navigate({ to: '/outbound', search })

  const columns: Column<Row>[] = [
    {
      key: 'when',
      title: say('outbound.when'),
      width: '120px',
      phone: 'aside',
      cell: row => <Time at={row.createdAt} />,
    },
    {
      key: 'type',
      title: say('outbound.type'),
      width: 'minmax(160px, 1fr)',
      phone: 'title',
      cell: row => (
        <Link className={ui.rowLink} to="/outbound/$id" params={{ id: row.id }} search={filters}>
          {row.type}
        </Link>
      ),
    },
    {
      key: 'about',
      title: say('outbound.about'),
      width: 'minmax(200px, 2fr)',
      phone: 'below',
      cell: row => <About event={row} />,
    },
    {
      key: 'sentTo',
      title: say('outbound.sentTo'),
      width: 'minmax(160px, 1fr)',
      phone: 'end',
      cell: row => <SentTo row={row} />,
    },
  ]

  return (
    <div className={ui.withPanel}>
      <Page title={say('outbound.title')} text={say('outbound.text')}>
        <Filters clear={filters.type ? () => filter({}) : undefined}>
          <Choice
            label={say('outbound.type')}
            value={filters.type}
            options={types.map(value => ({ value, label: value }))}
            onChange={type => filter(type ? { type } : {})}
          />
        </Filters>
        <List
          title={say('outbound.title')}
          columns={columns}
          rows={rowsOf(query)}
          idOf={row => row.id}
          selected={id}
          live={{ kinds: ['outbound_event'], refresh: () => void query.refetch() }}
          open={row => void navigate({ to: '/outbound/$id', params: { id: row.id }, search: filters })}
          empty={
            filters.type ? (
              <Empty title={say('outbound.emptyFiltered')} />
            ) : (
              <Empty title={say('outbound.emptyTitle')} text={say('outbound.emptyText')}>
                {owner && (
                  <Button renderRoot={(props: object) => <Link {...props} to="/webhooks/new" />}>
                    {say('outbound.emptyDo')}
                  </Button>
                )}
              </Empty>
            )
          }
        />
      </Page>
      <Outlet />
    </div>
  )
}

const SentTo = ({ row }: { row: Row }) => {
  const say = useTexts()
  if (row.fannedOutAt === null) return <Status tone="moving">{say('outbound.waits')}</Status>
  if (row.sentTo === 0) return <Status tone="off">{say('outbound.noEndpoint')}</Status>
  return (
    <>
      {say('outbound.endpoints', { count: row.sentTo })}
      {row.passedOver > 0 && <span className={ui.quiet}>{say('outbound.passedOver', { count: row.passedOver })}</span>}
    </>
  )
}
