import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { byCursor, listOf, rowsOf } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useNumbers, useTexts } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, List } from '../../ui/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { type Campaign, hasBegun, toneOf } from './status.ts'

/** Campaigns page: drafts, scheduled, running and finished campaigns. */
export const Campaigns = () => {
  const say = useTexts()
  const number = useNumbers()
  const navigate = useNavigate()
  const owner = useIsOwner()
  const query = hooks.useInfiniteQuery('get', '/v1/campaigns', listOf({}), byCursor)
  const figure = (key: 'audience' | 'sent' | 'skipped' | 'unknown'): Column<Campaign> => ({
    key,
    title: say(`campaigns.${key}`),
    width: '68px',
    align: 'right',
    cell: row => (hasBegun(row) ? number(row.progress[key]) : '–'),
  })
  const columns: Column<Campaign>[] = [
    {
      key: 'name',
      title: say('campaigns.name'),
      width: 'minmax(140px, 2fr)',
      phone: 'title',
      cell: row => (
        <Link className={ui.rowLink} to="/campaigns/$id" params={{ id: row.id }}>
          <bdi>{row.name}</bdi>
        </Link>
      ),
    },
    {
      key: 'status',
      title: say('campaigns.status'),
      width: '108px',
      phone: 'aside',
      cell: row => <Status tone={toneOf[row.status]}>{say(`campaigns.status.${row.status}`)}</Status>,
    },
    figure('audience'),
    {
      ...figure('sent'),
      phone: 'end',
      phoneCell: row =>
        hasBegun(row) && say('campaigns.sentOf', { sent: row.progress.sent, all: row.progress.audience }),
    },
    figure('skipped'),
    figure('unknown'),
    {
      key: 'when',
      title: say('campaigns.when'),
      width: 'minmax(130px, 1fr)',
      phone: 'below',
      cell: row => <When of={row} />,
    },
  ]
  const isEmpty = query.data?.pages[0]?.data.length === 0
  const make = owner && (
    <Button renderRoot={(props: object) => <Link {...props} to="/campaigns/new" />}>{say('campaigns.new')}</Button>
  )
  return (
    <Page
      title={say('campaigns.title')}
      text={say('campaigns.text')}
      readOnly={!owner}
      actions={isEmpty ? undefined : make}
    >
      <List
        title={say('campaigns.title')}
        columns={columns}
        rows={rowsOf(query)}
        idOf={row => row.id}
        live={{ kinds: ['campaign'], refresh: () => void query.refetch() }}
        open={row => void navigate({ to: '/campaigns/$id', params: { id: row.id } })}
        empty={
          <Empty title={say('campaigns.emptyTitle')} text={say('campaigns.emptyText')}>
            {make}
          </Empty>
        }
      />
    </Page>
  )
}

const When = ({ of }: { of: Campaign }) => {
  const say = useTexts()
  const [word, at] = of.finishedAt
    ? (['campaigns.finishedAt', of.finishedAt] as const)
    : of.startedAt
      ? (['campaigns.startedAt', of.startedAt] as const)
      : of.scheduledAt && of.status === 'scheduled'
        ? (['campaigns.scheduledAt', of.scheduledAt] as const)
        : (['campaigns.created', of.createdAt] as const)
  return (
    <>
      {say(word)} <Time at={at} />
    </>
  )
}
