import { Button } from '@mantine/core'
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { rowsOf } from '../../api/pages.ts'
import { useTexts } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, List } from '../../ui/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { type Problem, useProblems } from './problems.ts'

/** Rejected events page, newest first. The side panel shows one error, or a body to check. */
export const NotAccepted = () => {
  const say = useTexts()
  const navigate = useNavigate()
  const { id } = useParams({ strict: false }) as { id?: string }
  const query = useProblems()

  const columns: Column<Problem>[] = [
    {
      key: 'last',
      title: say('notAccepted.last'),
      width: '120px',
      phone: 'aside',
      cell: row => <Time at={row.lastAt} />,
    },
    {
      key: 'message',
      title: say('notAccepted.message'),
      width: 'minmax(220px, 3fr)',
      phone: 'title',
      cell: row => (
        <Link className={ui.rowLink} to="/not-accepted/$id" params={{ id: row.id }}>
          {row.severity === 'warning' && <Status tone="care">{say('notAccepted.warning')}</Status>}{' '}
          <bdi>{row.message}</bdi>
        </Link>
      ),
    },
    {
      key: 'fields',
      title: say('notAccepted.fields'),
      width: 'minmax(120px, 1fr)',
      cell: row => <code>{Object.keys(row.details ?? {}).join(', ')}</code>,
    },
    { key: 'sender', title: say('notAccepted.sender'), width: '120px', phone: 'below', cell: row => row.sender },
    {
      key: 'count',
      title: say('notAccepted.count'),
      width: '96px',
      align: 'right',
      phone: 'end',
      cell: row => say('notAccepted.times', { count: row.count }),
    },
    {
      key: 'first',
      title: say('notAccepted.first'),
      width: '120px',
      cell: row => <Time at={row.firstAt} />,
    },
  ]

  const isEmpty = query.data?.pages[0]?.data.length === 0
  const check = (
    <Button variant="default" renderRoot={(props: object) => <Link {...props} to="/not-accepted/check" />}>
      {say('notAccepted.check')}
    </Button>
  )
  return (
    <div className={ui.withPanel}>
      <Page title={say('notAccepted.title')} text={say('notAccepted.text')} actions={isEmpty ? undefined : check}>
        <List
          title={say('notAccepted.title')}
          columns={columns}
          rows={rowsOf(query)}
          idOf={row => row.id}
          selected={id}
          live={{ kinds: ['not_accepted'], refresh: () => void query.refetch() }}
          open={row => void navigate({ to: '/not-accepted/$id', params: { id: row.id } })}
          empty={
            <Empty title={say('notAccepted.emptyTitle')} text={say('notAccepted.emptyText')}>
              {check}
            </Empty>
          }
        />
      </Page>
      <Outlet />
    </div>
  )
}
