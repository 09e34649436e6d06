import { Button } from '@mantine/core'
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { useChannelKindName } from '../../api/channel-kinds.ts'
import { hooks, type Schemas } from '../../api/client.ts'
import { cursorPagination, listParams, toRows } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, List } from '../../ui/list/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { tones } from '../../ui/tones.ts'
import ui from '../../ui/ui.module.css'

type Row = Schemas['Channel']

/** Channels page: the messaging channels with the last status from each provider. */
export const Channels = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const { id } = useParams({ strict: false }) as { id?: string }
  const nameOf = useChannelKindName()
  const query = hooks.useInfiniteQuery('get', '/v1/channels', listParams({}), cursorPagination)

  const columns: Column<Row>[] = [
    {
      key: 'name',
      title: t('channels.name'),
      width: 'minmax(130px, 1fr)',
      phone: 'title',
      cell: row => (
        <Link className={ui.rowLink} to="/channels/$id" params={{ id: row.id }}>
          <bdi>{row.name}</bdi>
        </Link>
      ),
    },
    {
      key: 'kind',
      title: t('channels.kind'),
      width: '120px',
      phone: 'below',
      cell: row => nameOf(row.kind),
    },
    {
      key: 'number',
      title: t('channels.number'),
      width: '140px',
      cell: row => <span className="tabular">{row.number}</span>,
    },
    {
      key: 'status',
      title: t('channels.status'),
      width: '120px',
      phone: 'aside',
      cell: row => <Status tone={tones.channel[row.status]}>{t(`channels.status.${row.status}`)}</Status>,
    },
    {
      key: 'said',
      title: t('channels.lastResponse'),
      width: 'minmax(160px, 2fr)',
      phone: 'end',
      cell: row => <bdi title={row.statusDetail ?? undefined}>{row.statusDetail}</bdi>,
    },
    {
      key: 'since',
      title: t('channels.since'),
      width: '110px',
      cell: row => <Time at={row.createdAt} />,
    },
  ]
  const isEmpty = query.data?.pages[0]?.data.length === 0
  const connectButton = isOwner && (
    <Button renderRoot={(props: object) => <Link {...props} to="/channels/new" />}>{t('channels.connect')}</Button>
  )
  return (
    <div className={ui.withPanel}>
      <Page
        title={t('channels.title')}
        text={t('channels.text')}
        readOnly={!isOwner}
        actions={isEmpty ? undefined : connectButton}
      >
        <List
          title={t('channels.title')}
          columns={columns}
          rows={toRows(query)}
          getId={row => row.id}
          selected={id}
          live={{ kinds: ['attention'], refresh: () => void query.refetch() }}
          open={row => void navigate({ to: '/channels/$id', params: { id: row.id } })}
          empty={
            <Empty title={t('channels.emptyTitle')} text={t('channels.emptyText')}>
              {connectButton}
            </Empty>
          }
        />
      </Page>
      <Outlet />
    </div>
  )
}
