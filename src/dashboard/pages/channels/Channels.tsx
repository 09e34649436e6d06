import { Button, Group, Skeleton } from '@mantine/core'
import { getRouteApi, Link, Outlet, useMatch, useNavigate } from '@tanstack/react-router'
import { useChannelKindName } from '../../api/channel-kinds.ts'
import { hooks, type Schemas } from '../../api/client.ts'
import { cursorPagination, listParams, pageReader, toRows } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { TimeChart } from '../../ui/charts/TimeChart.tsx'
import { Empty, ExampleRow } from '../../ui/Empty.tsx'
import { SignalIcon } from '../../ui/icons.ts'
import { type Column, List } from '../../ui/list/List.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { PlusIcon } from '../../ui/page-icons.ts'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { TimeRangeFilter } from '../../ui/time-range/TimeRangeFilter.tsx'
import { parseTimeRange, toBarRange } from '../../ui/time-range/time-range.ts'
import { tones } from '../../ui/tones.ts'
import ui from '../../ui/ui.module.css'
import styles from './channels.module.css'
import { toBuckets, toSeries, toTotals, useChannelStatistics, withDefault } from './statistics.ts'

type Row = Schemas['Channel']

const route = getRouteApi('/signed/channels')

/** Channels page: the messaging channels with the last status from each provider. */
export const Channels = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const id = useMatch({ from: '/signed/channels/$id', shouldThrow: false })?.params.id
  const isConnecting = useMatch({ from: '/signed/channels/new', shouldThrow: false }) !== undefined
  const timeRange = parseTimeRange({ ...route.useSearch() })
  const { query: statistics, by } = useChannelStatistics(withDefault(timeRange))
  const nameOf = useChannelKindName()
  const number = useNumbers()
  const query = hooks.useInfiniteQuery('get', '/v1/channels', listParams({}), cursorPagination)

  const rows = toRows(query)
  const isFailing = rows.rows?.some(row => row.status === 'failing')
  const totalsOf = (row: Row) => statistics.data && toTotals(statistics.data, row.id)
  const columns: Column<Row>[] = [
    {
      key: 'name',
      title: t('channels.name'),
      // The reason of a failure takes the space of the other columns.
      width: isFailing ? 'minmax(150px, 2fr)' : 'minmax(180px, 2fr)',
      phone: 'title',
      cell: row => (
        <Group gap="sm" wrap="nowrap">
          <Mark of={row.kind} />
          <Link
            className={`${ui.rowLink} ${styles.name}`}
            title={row.name}
            to="/channels/$id"
            params={{ id: row.id }}
            search={timeRange}
          >
            <bdi>{row.name}</bdi>
          </Link>
        </Group>
      ),
      value: row => row.name,
    },
    {
      key: 'kind',
      title: t('channels.kind'),
      width: '120px',
      phone: 'below',
      cell: row => nameOf(row.kind),
      phoneCell: row => (row.status === 'failing' ? <FailureReason channel={row} /> : nameOf(row.kind)),
      value: row => nameOf(row.kind),
    },
    {
      key: 'number',
      title: t('channels.number'),
      width: '130px',
      wide: true,
      value: row => row.number,
      cell: row => <span className={row.number ? 'tabular' : ui.quietCell}>{row.number ?? '–'}</span>,
    },
    {
      key: 'status',
      title: t('channels.status'),
      width: isFailing ? 'minmax(110px, 8fr)' : 'minmax(110px, 2fr)',
      phone: 'aside',
      value: row => t(`channels.status.${row.status}`),
      cell: row => (
        <span className={styles.status}>
          <Status tone={tones.channel[row.status]}>{t(`channels.status.${row.status}`)}</Status>
          {row.status === 'failing' && <FailureReason channel={row} />}
        </span>
      ),
      phoneCell: row => <Status tone={tones.channel[row.status]}>{t(`channels.status.${row.status}`)}</Status>,
    },
    {
      key: 'delivered',
      title: t('channels.messages.delivered'),
      width: '100px',
      align: 'right',
      cell: row => totalsOf(row) && number(totalsOf(row)!.delivered),
      value: row => totalsOf(row)?.delivered,
    },
    {
      key: 'failed',
      title: t('channels.messages.failed'),
      width: '90px',
      align: 'right',
      cell: row => totalsOf(row) && number(totalsOf(row)!.failed),
      value: row => totalsOf(row)?.failed,
    },
    {
      key: 'said',
      title: t('channels.lastResponse'),
      exportOnly: true,
      value: row => row.statusDetail,
      cell: row => row.statusDetail,
    },
    {
      key: 'since',
      title: t('channels.since'),
      width: '110px',
      value: row => row.createdAt,
      cell: row => <Time at={row.createdAt} />,
    },
  ]
  const isEmpty = query.data && query.data.pages[0]?.data.length === 0
  const connectButton = isOwner && (
    <Button
      variant={isConnecting ? 'default' : 'filled'}
      leftSection={<PlusIcon width={14} />}
      renderRoot={(props: object) => <Link {...props} to="/channels/new" />}
    >
      {t('channels.connect')}
    </Button>
  )
  return (
    <div className={ui.withPanel}>
      <Page
        title={t('channels.title')}
        text={t('channels.text')}
        readOnly={!isOwner}
        actions={(isEmpty === false || query.isError) && connectButton}
      >
        {isEmpty === undefined && !query.error && (
          <Body>
            <Skeleton height={240} />
          </Body>
        )}
        {isEmpty === false && (
          <div className={styles.chart}>
            <Card>
              <TimeChart
                title={t('channels.messages')}
                rows={statistics.data && toBuckets(statistics.data)}
                query={statistics}
                series={toSeries(t)}
                by={by}
                height={120}
                onSelect={({ at }) => void navigate({ to: '/messages', search: toBarRange(at, by) })}
                actions={
                  <TimeRangeFilter
                    always
                    value={withDefault(timeRange)}
                    onChange={search => void navigate({ to: '.', search })}
                  />
                }
              />
            </Card>
          </div>
        )}
        {(isEmpty !== undefined || query.error) && (
          <List
            title={t('channels.title')}
            columns={columns}
            rows={rows}
            getId={row => row.id}
            selected={id}
            exportName="channels"
            readPage={pageReader('/v1/channels', listParams({}))}
            live={{ kinds: ['attention'], refresh: () => void query.refetch() }}
            open={row => void navigate({ to: '/channels/$id', params: { id: row.id }, search: timeRange })}
            empty={
              <Empty
                icon={SignalIcon}
                title={t('channels.emptyTitle')}
                text={t('channels.emptyText')}
                docs="/docs/start"
                example={
                  <ExampleRow
                    lead={<SignalIcon width={20} aria-hidden="true" />}
                    title={t('channels.exampleName')}
                    text={t('channels.exampleText')}
                    aside={<Status tone="done">{t('channels.status.connected')}</Status>}
                  />
                }
              >
                {connectButton}
              </Empty>
            }
          />
        )}
      </Page>
      <Outlet />
    </div>
  )
}

/** Reason that the provider gives for rejecting the requests of a failing channel. */
const FailureReason = ({ channel: { statusDetail } }: { channel: Row }) => (
  <bdi className={styles.reason} data-tone="failed" title={statusDetail ?? undefined}>
    {statusDetail}
  </bdi>
)
