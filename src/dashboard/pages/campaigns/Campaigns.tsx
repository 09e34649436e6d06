import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { cursorPagination, listParams, toRows } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, List } from '../../ui/list/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { tones } from '../../ui/tones.ts'
import ui from '../../ui/ui.module.css'
import { type Campaign, hasStarted } from './status.ts'

/** Campaigns page: drafts, scheduled, running and finished campaigns. */
export const Campaigns = () => {
  const t = useTranslate()
  const number = useNumbers()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const query = hooks.useInfiniteQuery('get', '/v1/campaigns', listParams({}), cursorPagination)
  const countColumn = (key: 'audience' | 'sent' | 'skipped' | 'unknown'): Column<Campaign> => ({
    key,
    title: t(`campaigns.${key}`),
    width: '68px',
    align: 'right',
    cell: row => (hasStarted(row) ? number(row.progress[key]) : '–'),
  })
  const columns: Column<Campaign>[] = [
    {
      key: 'name',
      title: t('campaigns.name'),
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
      title: t('campaigns.status'),
      width: '108px',
      phone: 'aside',
      cell: row => <Status tone={tones.campaign[row.status]}>{t(`campaigns.status.${row.status}`)}</Status>,
    },
    countColumn('audience'),
    {
      ...countColumn('sent'),
      phone: 'end',
      phoneCell: row =>
        hasStarted(row) && t('campaigns.sentOf', { sent: row.progress.sent, all: row.progress.audience }),
    },
    countColumn('skipped'),
    countColumn('unknown'),
    {
      key: 'when',
      title: t('campaigns.date'),
      width: 'minmax(130px, 1fr)',
      phone: 'below',
      cell: row => <CampaignTime campaign={row} />,
    },
  ]
  const isEmpty = query.data?.pages[0]?.data.length === 0
  const createButton = isOwner && (
    <Button renderRoot={(props: object) => <Link {...props} to="/campaigns/new" />}>{t('campaigns.new')}</Button>
  )
  return (
    <Page
      title={t('campaigns.title')}
      text={t('campaigns.text')}
      readOnly={!isOwner}
      actions={isEmpty ? undefined : createButton}
    >
      <List
        title={t('campaigns.title')}
        columns={columns}
        rows={toRows(query)}
        getId={row => row.id}
        live={{ kinds: ['campaign'], refresh: () => void query.refetch() }}
        open={row => void navigate({ to: '/campaigns/$id', params: { id: row.id } })}
        empty={
          <Empty title={t('campaigns.emptyTitle')} text={t('campaigns.emptyText')}>
            {createButton}
          </Empty>
        }
      />
    </Page>
  )
}

const CampaignTime = ({ campaign }: { campaign: Campaign }) => {
  const t = useTranslate()
  const [timeKind, at] = campaign.finishedAt
    ? (['campaigns.finishedAt', campaign.finishedAt] as const)
    : campaign.startedAt
      ? (['campaigns.startedAt', campaign.startedAt] as const)
      : campaign.scheduledAt && campaign.status === 'scheduled'
        ? (['campaigns.scheduledAt', campaign.scheduledAt] as const)
        : (['campaigns.created', campaign.createdAt] as const)
  return (
    <>
      {t(timeKind)} <Time at={at} />
    </>
  )
}
