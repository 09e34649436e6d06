import { Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Rows } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Sparkline } from '../../ui/charts/Sparkline.tsx'
import type { Column } from '../../ui/list/List.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import type { TimeRange } from '../../ui/time-range/time-range.ts'
import ui from '../../ui/ui.module.css'
import { isEqual } from './definition/edit.ts'
import type { Workflow } from './definition/types.ts'
import { SwitchOnOff } from './manage/SwitchOnOff.tsx'
import { WorkflowMenu } from './manage/WorkflowMenu.tsx'
import { type StatsPeriod, useKnownStats, usePublished, useStats } from './queries.ts'
import { hasUnsavedChanges } from './useDraft.ts'
import { WorkflowState, workflowState } from './WorkflowState.tsx'
import styles from './workflows.module.css'

/**
 * Columns of the workflows list. Statistics and versions are read only for the rows in view. So a complete list sorts
 * by statistics once all its rows were in view.
 */
export const useColumns = (
  { rows = [], loadMore }: Rows<Workflow>,
  period: StatsPeriod,
  range: TimeRange['range'],
): Column<Workflow>[] => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const stats = useKnownStats(rows, period)
  const isComplete = loadMore === null && stats.size === rows.length
  const ifComplete = (value: NonNullable<Column<Workflow>['value']>) => isComplete && { value }
  return [
    {
      key: 'name',
      title: t('workflows.name'),
      width: 'minmax(150px, 3fr)',
      phone: 'title',
      value: row => row.name,
      cell: row => (
        <span className={styles.nameCell}>
          <Link className={ui.rowLink} to="/workflows/$id" params={{ id: row.id }}>
            <bdi>{row.name}</bdi>
          </Link>
          <DraftChanges workflow={row} />
        </span>
      ),
    },
    {
      key: 'on',
      title: t('workflows.state'),
      width: '152px',
      phone: 'aside',
      value: row => (row.enabled ? 1 : 0),
      exportValue: row => t(`workflows.state.${workflowState(row)}`),
      cell: row => (
        <Group gap="sm" wrap="nowrap">
          {isOwner && row.archivedAt === null ? (
            <>
              <SwitchOnOff workflow={row} inRow />
              {/* The switch has the color of the state. */}
              <span>{t(`workflows.state.${workflowState(row)}`)}</span>
            </>
          ) : (
            <WorkflowState workflow={row} />
          )}
        </Group>
      ),
    },
    {
      key: 'trigger',
      title: t('workflows.startsWith'),
      width: 'minmax(128px, 1fr)',
      phone: 'below',
      value: row => row.triggerType,
      cell: row => <span className={styles.quiet}>{row.triggerType}</span>,
      phoneCell: row => (
        <Group gap="sm" wrap="nowrap">
          <Text span inherit truncate>
            {row.triggerType}
          </Text>
          <FailedRuns id={row.id} period={period} onlyIfAny />
        </Group>
      ),
    },
    {
      key: 'runs',
      title: t('workflows.runs'),
      width: 'minmax(96px, 160px)',
      phone: 'end',
      ...ifComplete(row => stats.get(row.id)?.started),
      cell: row => <Runs id={row.id} period={period} />,
      phoneCell: row => <RunCount id={row.id} period={period} range={range} />,
    },
    {
      key: 'failed',
      title: t('workflows.failed'),
      width: '72px',
      align: 'right',
      ...ifComplete(row => stats.get(row.id)?.failed),
      cell: row => <FailedRuns id={row.id} period={period} />,
    },
    {
      key: 'lastRun',
      title: t('workflows.lastRun'),
      width: '100px',
      ...ifComplete(row => stats.get(row.id)?.lastRunAt),
      cell: row => <LastRun id={row.id} period={period} />,
    },
    {
      key: 'created',
      title: t('workflows.created'),
      exportOnly: true,
      cell: row => row.createdAt,
      value: row => row.createdAt,
    },
    ...(isOwner
      ? [
          {
            key: 'menu',
            title: t('workflows.actions'),
            hidesTitle: true as const,
            width: '40px',
            align: 'right' as const,
            keep: true as const,
            cell: (row: Workflow) => <WorkflowMenu workflow={row} />,
          },
        ]
      : []),
  ]
}

/** Label of changes that are not published yet. */
const DraftChanges = ({ workflow }: { workflow: Workflow }) => {
  const t = useTranslate()
  const published = usePublished(workflow).data
  const issues = workflow.publishedVersion === null ? workflow.draftErrors.length : 0
  if (hasUnsavedChanges(workflow.id)) return <Status tone="care">{t('workflows.changes.unsaved')}</Status>
  if (published && !isEqual(published.definition, workflow.draft))
    return <Status tone="care">{t('workflows.changes.unpublished')}</Status>
  return issues > 0 ? <Status tone="off">{t('workflows.changes.issues', { count: issues })}</Status> : null
}

interface StatsProps {
  id: string
  period: StatsPeriod
}

/** Number of runs of the period with a sparkline, and their states. */
const Runs = ({ id, period }: StatsProps) => {
  const t = useTranslate()
  const numbers = useNumbers()
  const stats = useStats(id, period)
  if (!stats) return null
  const { started, done, failed, stopped, startedByDay, isCut } = stats
  const endCounts = t('workflows.ends', { done, failed, stopped, underWay: started - done - failed - stopped })
  return (
    <Group gap="sm" wrap="nowrap" className={styles.runs!}>
      <span className={`tabular ${styles.runsCount}`} title={isCut ? t('workflows.runsCut') : undefined}>
        {numbers(started)}
        {isCut && '+'}
      </span>
      <span className={styles.days} title={endCounts}>
        {startedByDay.length > 1 && <Sparkline label={endCounts} values={toPoints(startedByDay)} />}
      </span>
    </Group>
  )
}

/** Maximum number of points of a sparkline, which is 110 px wide. */
const maxPoints = 31

/** Adds up the values of neighbouring days, so that a long period has few points. */
const toPoints = (days: readonly number[]): number[] => {
  const size = Math.ceil(days.length / maxPoints)
  return Array.from({ length: Math.ceil(days.length / size) }, (_, index) =>
    days.slice(index * size, (index + 1) * size).reduce((sum, day) => sum + day, 0),
  )
}

/** Number of runs of the period and its preset, in a row with two lines. */
const RunCount = ({ id, period, range }: StatsProps & Pick<TimeRange, 'range'>) => {
  const t = useTranslate()
  const count = useStats(id, period)?.started
  return (
    count !== undefined && (
      <span className={styles.quiet}>{t('workflows.runsCount', { count, range: range ?? 'other' })}</span>
    )
  )
}

const LastRun = ({ id, period }: StatsProps) => {
  const at = useStats(id, period)?.lastRunAt
  return <span className={styles.quiet}>{at ? <Time at={at} /> : '–'}</span>
}

const FailedRuns = ({ id, period, onlyIfAny = false }: StatsProps & { onlyIfAny?: boolean }) => {
  const numbers = useNumbers()
  const t = useTranslate()
  const failed = useStats(id, period)?.failed
  if (failed === undefined || (failed === 0 && onlyIfAny)) return null
  return failed === 0 ? (
    <span className={styles.quiet}>{numbers(0)}</span>
  ) : (
    <Status tone="failed">{t('workflows.failedCount', { count: failed })}</Status>
  )
}
