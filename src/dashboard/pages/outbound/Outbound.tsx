import { Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { outboundTypes } from '../../api/event-types.ts'
import { cursorPagination, listParams, toRows } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Filters, SelectFilter } from '../../ui/list/Filters.tsx'
import { type Column, List } from '../../ui/list/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { EventSummary } from './EventSummary.tsx'
import { type OutboundFilters, parseOutboundFilters } from './filters.ts'

type Row = Schemas['OutboundEvent']

/** Outbound events page, newest first, with one event in the side panel. */
export const Outbound = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const filters = parseOutboundFilters(useSearch({ strict: false }))
  const { id } = useParams({ strict: false }) as { id?: string }
  const query = hooks.useInfiniteQuery('get', '/v1/outbound-events', listParams(filters), {
    ...cursorPagination,
    placeholderData: keepPreviousData,
  })
  const filter = (search: OutboundFilters) => void navigate({ to: '/outbound', search })

  const columns: Column<Row>[] = [
    {
      key: 'when',
      title: t('outbound.time'),
      width: '120px',
      phone: 'aside',
      cell: row => <Time at={row.createdAt} />,
    },
    {
      key: 'type',
      title: t('outbound.type'),
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
      title: t('outbound.details'),
      width: 'minmax(200px, 2fr)',
      phone: 'below',
      cell: row => <EventSummary event={row} />,
    },
    {
      key: 'sentTo',
      title: t('outbound.sentTo'),
      width: 'minmax(160px, 1fr)',
      phone: 'end',
      cell: row => <DestinationSummary row={row} />,
    },
  ]

  return (
    <div className={ui.withPanel}>
      <Page title={t('outbound.title')} text={t('outbound.text')}>
        <Filters clear={filters.type ? () => filter({}) : undefined}>
          <SelectFilter
            label={t('outbound.type')}
            value={filters.type}
            options={outboundTypes.map(value => ({ value, label: value }))}
            onChange={type => filter(type ? { type } : {})}
          />
        </Filters>
        <List
          title={t('outbound.title')}
          columns={columns}
          rows={toRows(query)}
          getId={row => row.id}
          selected={id}
          live={{ kinds: ['outbound_event'], refresh: () => void query.refetch() }}
          open={row => void navigate({ to: '/outbound/$id', params: { id: row.id }, search: filters })}
          empty={
            filters.type ? (
              <Empty title={t('outbound.emptyFiltered')} />
            ) : (
              <Empty title={t('outbound.emptyTitle')} text={t('outbound.emptyText')}>
                {isOwner && (
                  <Button renderRoot={(props: object) => <Link {...props} to="/webhooks/new" />}>
                    {t('outbound.emptyDo')}
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

const DestinationSummary = ({ row }: { row: Row }) => {
  const t = useTranslate()
  if (row.fannedOutAt === null) return <Status tone="moving">{t('outbound.waits')}</Status>
  if (row.sentTo === 0) return <Status tone="off">{t('outbound.noEndpoint')}</Status>
  return (
    <>
      {t('outbound.endpoints', { count: row.sentTo })}
      {row.passedOver > 0 && <span className={ui.quiet}>{t('outbound.passedOver', { count: row.passedOver })}</span>}
    </>
  )
}
