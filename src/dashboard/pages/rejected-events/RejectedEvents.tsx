import { Button } from '@mantine/core'
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { toRows } from '../../api/pages.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, List } from '../../ui/list/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { type RejectedEvent, useRejectedEvents } from './rejected-events.ts'

/** Rejected events page, newest first. The side panel shows one error, or a body to check. */
export const RejectedEvents = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const { id } = useParams({ strict: false }) as { id?: string }
  const query = useRejectedEvents()

  const columns: Column<RejectedEvent>[] = [
    {
      key: 'last',
      title: t('notAccepted.last'),
      width: '120px',
      phone: 'aside',
      cell: row => <Time at={row.lastAt} />,
    },
    {
      key: 'message',
      title: t('notAccepted.message'),
      width: 'minmax(220px, 3fr)',
      phone: 'title',
      cell: row => (
        <Link className={ui.rowLink} to="/not-accepted/$id" params={{ id: row.id }}>
          {row.severity === 'warning' && <Status tone="care">{t('notAccepted.warning')}</Status>}{' '}
          <bdi>{row.message}</bdi>
        </Link>
      ),
    },
    {
      key: 'fields',
      title: t('notAccepted.fields'),
      width: 'minmax(120px, 1fr)',
      cell: row => <code>{Object.keys(row.details ?? {}).join(', ')}</code>,
    },
    { key: 'sender', title: t('notAccepted.sender'), width: '120px', phone: 'below', cell: row => row.sender },
    {
      key: 'count',
      title: t('notAccepted.count'),
      width: '96px',
      align: 'right',
      phone: 'end',
      cell: row => t('notAccepted.times', { count: row.count }),
    },
    {
      key: 'first',
      title: t('notAccepted.first'),
      width: '120px',
      cell: row => <Time at={row.firstAt} />,
    },
  ]

  const isEmpty = query.data?.pages[0]?.data.length === 0
  const checkButton = (
    <Button variant="default" renderRoot={(props: object) => <Link {...props} to="/not-accepted/check" />}>
      {t('notAccepted.check')}
    </Button>
  )
  return (
    <div className={ui.withPanel}>
      <Page title={t('notAccepted.title')} text={t('notAccepted.text')} actions={isEmpty ? undefined : checkButton}>
        <List
          title={t('notAccepted.title')}
          columns={columns}
          rows={toRows(query)}
          getId={row => row.id}
          selected={id}
          live={{ kinds: ['not_accepted'], refresh: () => void query.refetch() }}
          open={row => void navigate({ to: '/not-accepted/$id', params: { id: row.id } })}
          empty={
            <Empty title={t('notAccepted.emptyTitle')} text={t('notAccepted.emptyText')}>
              {checkButton}
            </Empty>
          }
        />
      </Page>
      <Outlet />
    </div>
  )
}
