import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import type { Rows } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import type { ChartQuery } from '../../ui/charts/series.ts'
import type { Column } from '../../ui/list/List.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { CampaignMenu } from './CampaignMenu.tsx'
import { CampaignStatus, CreationTime } from './CampaignStatus.tsx'
import styles from './campaigns.module.css'
import { useChoices } from './choices.ts'
import { FailedCount, NoResult, PhoneResults, Share } from './ListResults.tsx'
import { resultColumns, useResultsById } from './results.ts'
import { type Campaign, hasStarted } from './status.ts'

/** Columns of the campaigns list, and those of narrower lists, which have the status and the time below the name. */
export const useColumns = ({
  rows = [],
  loadMore,
}: Rows<Campaign>): {
  columns: Column<Campaign>[]
  foldedLayouts: Column<Campaign>[][]
  /** Stands for the requests of results that failed. */
  failed: ChartQuery | undefined
} => {
  const t = useTranslate()
  const number = useNumbers()
  const isOwner = useIsOwner()
  const { resultsById, failed } = useResultsById(rows)
  const { channels, templates } = useChoices()
  const channelOf = (row: Campaign) => channels?.find(({ id }) => id === row.channelId)
  const templateName = (row: Campaign) => templates?.find(({ id }) => id === row.templateId)?.name
  const sentText = ({ progress: { sent, audience } }: Campaign) =>
    t('campaigns.countOf', { count: sent, all: audience })
  const longest = (texts: string[]) => Math.max(0, ...texts.map(({ length }) => length))
  const started = rows.filter(hasStarted)
  const countLength = longest(started.map(({ progress }) => number(progress.audience)))
  // The width follows the largest campaign, so that no row loses a part of its number.
  const sentWidth = Math.max(68, 12 + 7 * longest(started.map(sentText)))
  const skippedText = ({ progress }: Campaign) => t('campaigns.skippedCount', { count: progress.skipped })
  const skippedWidth = 12 + 6 * longest(started.map(skippedText))
  const shareWidth = 55 + 8 * countLength
  const nameCell = (row: Campaign) => (
    <span className={styles.nameCell}>
      <ChannelMark channel={channelOf(row)} />
      <Link className={ui.rowLink} to="/campaigns/$id" params={{ id: row.id }}>
        <bdi>{row.name}</bdi>
      </Link>
    </span>
  )
  const templateOf = (row: Campaign) =>
    templateName(row) && (
      <>
        {t('campaigns.template')}: <bdi>{templateName(row)}</bdi>
      </>
    )
  const resultColumn = ([key, count, width]: (typeof resultColumns)[number], hasShares: boolean): Column<Campaign> => {
    const countOf = (row: Campaign) => {
      const results = resultsById.get(row.id)
      return results && count(results)
    }
    return {
      key,
      title: t(`campaigns.result.${key}`),
      align: 'right',
      width: `minmax(${hasShares && key !== 'failed' ? Math.max(width, shareWidth) : width}px, 0.25fr)`,
      // Results are read only for loaded rows, so only a complete list sorts by them.
      ...(loadMore === null && { value: countOf }),
      cell: row => {
        const value = countOf(row)
        if (value == null) return <NoResult />
        if (key === 'failed') return <FailedCount value={value} />
        return hasShares ? <Share value={value} total={row.progress.audience} /> : number(value)
      },
    }
  }
  const columns: Column<Campaign>[] = [
    {
      key: 'name',
      title: t('campaigns.name'),
      width: 'minmax(240px, 1.1fr)',
      phone: 'title',
      value: row => row.name,
      cell: row => (
        <span className={styles.twoLines}>
          {nameCell(row)}
          <span className={styles.underName}>{templateOf(row)}</span>
        </span>
      ),
      phoneCell: nameCell,
    },
    {
      key: 'status',
      title: t('campaigns.status'),
      width: 'minmax(100px, 0.25fr)',
      phone: 'aside',
      value: row => t(`campaigns.status.${row.status}`),
      cell: row => (
        <span className={styles.twoLines}>
          <CampaignStatus status={row.status} />
          {row.status === 'scheduled' && row.scheduledAt !== null && (
            <span className={styles.underName}>
              <Time at={row.scheduledAt} />
            </span>
          )}
        </span>
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
      width: `minmax(${sentWidth}px, 0.25fr)`,
      align: 'right',
      phone: 'below',
      value: row => (hasStarted(row) ? row.progress.sent : null),
      cell: row => (hasStarted(row) ? <span className="tabular">{sentText(row)}</span> : <NoResult />),
      phoneCell: row =>
        hasStarted(row) ? (
          <PhoneResults campaign={row} results={resultsById.get(row.id)} />
        ) : (
          <>
            <div className={styles.phoneLine}>
              <CreationTime campaign={row} />
              {row.status === 'scheduled' && row.scheduledAt !== null && (
                <span className={styles.quiet}>
                  {t('campaigns.scheduledAt')} <Time at={row.scheduledAt} />
                </span>
              )}
            </div>
            {templateName(row) && <div className={styles.quiet}>{templateOf(row)}</div>}
          </>
        ),
    },
    {
      key: 'skipped',
      title: t('campaigns.skipped'),
      width: 'minmax(76px, 0.25fr)',
      align: 'right',
      value: row => (hasStarted(row) ? row.progress.skipped : null),
      cell: row => (hasStarted(row) ? <span className="tabular">{number(row.progress.skipped)}</span> : <NoResult />),
    },
    ...resultColumns.map(column => resultColumn(column, true)),
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
  const folded = (omitted: string[], hasShares = true) =>
    columns
      .filter(({ key, exportOnly }) => !exportOnly && !['status', 'created', ...omitted].includes(key))
      .map((column): Column<Campaign> => {
        if (column.key === 'name')
          return {
            ...column,
            width: 'minmax(160px, 4fr)',
            cell: row => (
              <span className={styles.twoLines}>
                {nameCell(row)}
                <CampaignStatus status={row.status}>
                  {row.status === 'scheduled' && row.scheduledAt !== null && <Time at={row.scheduledAt} />}
                </CampaignStatus>
                <span className={styles.underName}>{templateOf(row)}</span>
                <span className={styles.underName}>
                  <CreationTime campaign={row} />
                </span>
              </span>
            ),
          }
        if (column.key === 'sent' && omitted.includes('skipped'))
          return {
            ...column,
            width: `minmax(${Math.max(sentWidth, skippedWidth)}px, 0.25fr)`,
            cell: row => (
              <>
                {column.cell(row)}
                {hasStarted(row) && row.progress.skipped > 0 && (
                  <div className={styles.underCount}>{skippedText(row)}</div>
                )}
              </>
            ),
          }
        const result = hasShares ? undefined : resultColumns.find(([key]) => key === column.key)
        return result ? resultColumn(result, false) : column
      })
  const foldedLayouts = [folded([]), folded(['skipped', 'replied']), folded(['skipped', 'replied'], false)]
  return { columns, foldedLayouts, failed }
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
