import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import type { Rows } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import type { Column } from '../../ui/list/List.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { CampaignMenu } from './CampaignMenu.tsx'
import { CampaignStatus } from './CampaignStatus.tsx'
import styles from './campaigns.module.css'
import { useChoices } from './choices.ts'
import { FailedCount, NotStarted, PhoneResults, Share } from './ListResults.tsx'
import { resultColumns, useResultsById } from './results.ts'
import { type Campaign, hasStarted } from './status.ts'

/** Columns of the campaigns list. The template is last, so that a narrower list omits it first. */
export const useColumns = ({ rows = [], loadMore }: Rows<Campaign>): Column<Campaign>[] => {
  const t = useTranslate()
  const number = useNumbers()
  const isOwner = useIsOwner()
  const resultsById = useResultsById(rows)
  const { channels, templates } = useChoices()
  const channelOf = (row: Campaign) => channels?.find(({ id }) => id === row.channelId)
  const templateName = (row: Campaign) => templates?.find(({ id }) => id === row.templateId)?.name
  return [
    {
      key: 'name',
      title: t('campaigns.name'),
      width: 'minmax(182px, 1.1fr)',
      phone: 'title',
      value: row => row.name,
      cell: row => (
        <span className={styles.nameCell}>
          <ChannelMark channel={channelOf(row)} />
          <Link className={ui.rowLink} to="/campaigns/$id" params={{ id: row.id }}>
            <bdi>{row.name}</bdi>
          </Link>
        </span>
      ),
    },
    {
      key: 'status',
      title: t('campaigns.status'),
      width: 'minmax(92px, 1fr)',
      phone: 'aside',
      value: row => t(`campaigns.status.${row.status}`),
      cell: row => (
        <CampaignStatus status={row.status}>{statusTime(row) && <Time at={statusTime(row)!} />}</CampaignStatus>
      ),
      phoneCell: row => <CampaignStatus status={row.status} />,
    },
    {
      key: 'templateName',
      title: t('campaigns.template'),
      exportOnly: true,
      value: templateName,
      cell: () => null,
    },
    {
      key: 'channel',
      title: t('campaigns.channel'),
      exportOnly: true,
      value: row => channelOf(row)?.name,
      cell: () => null,
    },
    {
      key: 'sent',
      title: t('campaigns.sent'),
      width: 'minmax(68px, 0.25fr)',
      align: 'right',
      phone: 'below',
      value: row => (hasStarted(row) ? row.progress.sent : null),
      cell: row =>
        hasStarted(row) ? (
          <span className="tabular">
            {t('campaigns.countOf', { count: row.progress.sent, all: row.progress.audience })}
          </span>
        ) : (
          <NotStarted />
        ),
      phoneCell: row =>
        hasStarted(row) ? (
          <PhoneResults campaign={row} results={resultsById.get(row.id)} />
        ) : (
          <CampaignTime campaign={row} />
        ),
    },
    {
      key: 'skipped',
      title: t('campaigns.skipped'),
      width: 'minmax(80px, 0.25fr)',
      align: 'right',
      wide: true,
      value: row => (hasStarted(row) ? row.progress.skipped : null),
      cell: row => (hasStarted(row) ? <span className="tabular">{number(row.progress.skipped)}</span> : <NotStarted />),
    },
    ...resultColumns.map(([key, count, width]): Column<Campaign> => {
      const countOf = (row: Campaign) => {
        const results = resultsById.get(row.id)
        return results && count(results)
      }
      return {
        key,
        title: t(`campaigns.result.${key}`),
        align: 'right',
        ...width,
        // Results are read only for loaded rows, so only a complete list sorts by them.
        ...(loadMore === null && { value: countOf }),
        cell: row => {
          const value = countOf(row)
          if (!hasStarted(row)) return <NotStarted />
          if (value == null) return null
          return key === 'failed' ? (
            <FailedCount value={value} />
          ) : (
            <Share value={value} total={row.progress.audience} />
          )
        },
      }
    }),
    ...(['scheduledAt', 'startedAt', 'finishedAt'] as const).map(
      (key): Column<Campaign> => ({
        key,
        title: t(`campaigns.${key}`),
        exportOnly: true,
        value: row => row[key],
        cell: () => null,
      }),
    ),
    {
      key: 'created',
      title: t('campaigns.created'),
      width: '84px',
      value: row => row.createdAt,
      cell: row => (
        <span className={styles.quiet}>
          <Time at={row.createdAt} />
        </span>
      ),
    },
    {
      // Without a value, because the export has it beside the channel.
      key: 'template',
      title: t('campaigns.template'),
      width: 'minmax(104px, 0.7fr)',
      cell: row => <bdi className={styles.quiet}>{templateName(row)}</bdi>,
    },
    ...(isOwner
      ? [
          {
            key: 'menu',
            title: t('campaigns.actions'),
            hidesTitle: true as const,
            width: '40px',
            align: 'right' as const,
            keep: true as const,
            cell: (row: Campaign) => <CampaignMenu campaign={row} />,
          },
        ]
      : []),
  ]
}

/** Mark of the channel that a campaign uses, with the name of the channel. */
const ChannelMark = ({ channel }: { channel: Schemas['Channel'] | undefined }) => (
  <span className={styles.channelMark} title={channel?.name}>
    {channel && (
      <>
        <Mark of={channel.kind} />
        <VisuallyHidden>{channel.name}</VisuallyHidden>
      </>
    )}
  </span>
)

/** Time that belongs to the status: the end, or the start of a scheduled campaign. */
const statusTime = ({ status, finishedAt, scheduledAt }: Campaign) =>
  status === 'scheduled' ? scheduledAt : finishedAt

/** Time of a campaign that has not started, in a row with two lines. */
const CampaignTime = ({ campaign: { status, scheduledAt, createdAt } }: { campaign: Campaign }) => {
  const t = useTranslate()
  const isScheduled = status === 'scheduled' && scheduledAt !== null
  return (
    <span className={styles.quiet}>
      {t(isScheduled ? 'campaigns.scheduledAt' : 'campaigns.created')}{' '}
      <Time at={isScheduled ? scheduledAt : createdAt} />
    </span>
  )
}
