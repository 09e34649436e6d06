import { Button } from '@mantine/core'
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { byCursor, listOf, rowsOf } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, List } from '../../ui/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { toneOf } from './kinds.ts'

type Row = Schemas['Channel']

/** Channels page: the messaging channels with the last status from each provider. */
export const Channels = () => {
  const say = useTexts()
  const navigate = useNavigate()
  const owner = useIsOwner()
  const { id } = useParams({ strict: false }) as { id?: string }
  const query = hooks.useInfiniteQuery('get', '/v1/channels', listOf({}), byCursor)

  const columns: Column<Row>[] = [
    {
      key: 'name',
      title: say('channels.name'),
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
      title: say('channels.kind'),
      width: '120px',
      phone: 'below',
      cell: row => say(`channels.kind.${row.kind}`),
    },
    {
      key: 'number',
      title: say('channels.number'),
      width: '140px',
      cell: row => <span className="tabular">{row.number}</span>,
    },
    {
      key: 'status',
      title: say('channels.status'),
      width: '120px',
      phone: 'aside',
      cell: row => <Status tone={toneOf[row.status]}>{say(`channels.status.${row.status}`)}</Status>,
    },
    {
      key: 'said',
      title: say('channels.said'),
      width: 'minmax(160px, 2fr)',
      phone: 'end',
      cell: row => <bdi title={row.statusDetail ?? undefined}>{row.statusDetail}</bdi>,
    },
    {
      key: 'since',
      title: say('channels.since'),
      width: '110px',
      cell: row => <Time at={row.createdAt} />,
    },
  ]
  const isEmpty = query.data?.pages[0]?.data.length === 0
  const connect = owner && (
    <Button renderRoot={(props: object) => <Link {...props} to="/channels/new" />}>{say('channels.connect')}</Button>
  )
  return (
    <div className={ui.withPanel}>
      <Page
        title={say('channels.title')}
        text={say('channels.text')}
        readOnly={!owner}
        actions={isEmpty ? undefined : connect}
      >
        <List
          title={say('channels.title')}
          columns={columns}
          rows={rowsOf(query)}
          idOf={row => row.id}
          selected={id}
          live={{ kinds: ['attention'], refresh: () => void query.refetch() }}
          open={row => void navigate({ to: '/channels/$id', params: { id: row.id } })}
          empty={
            <Empty title={say('channels.emptyTitle')} text={say('channels.emptyText')}>
              {connect}
            </Empty>
          }
        />
      </Page>
      <Outlet />
    </div>
  )
}
