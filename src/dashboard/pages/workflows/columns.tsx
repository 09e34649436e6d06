import { Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import type { Rows } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Sparkline } from '../../ui/charts/Sparkline.tsx'
import type { Column } from '../../ui/list/List.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { isEqual } from './definition/edit.ts'
import type { Workflow } from './definition/types.ts'
import { SwitchOnOff } from './manage/SwitchOnOff.tsx'
import { WorkflowMenu } from './manage/WorkflowMenu.tsx'
import { useListStats, useListVersions } from './queries.ts'
import { hasUnsavedChanges } from './useDraft.ts'
import { WorkflowState, workflowState } from './WorkflowState.tsx'
import styles from './workflows.module.css'

/** Columns of the workflows list. Statistics are read only for loaded rows, so only a complete list sorts by them. */
export const useColumns = ({ rows = [], loadMore }: Rows<Workflow>): Column<Workflow>[] => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const stats = useListStats(rows)
  const recent = ({ id }: Workflow) => stats.get(id)?.last7Days
  const lastRunAt = ({ id }: Workflow) => stats.get(id)?.lastRunAt
  const ifComplete = (value: NonNullable<Column<Workflow>['value']>) => loadMore === null && { value }
  const published = useListVersions(rows)
  const changesOf = (row: Workflow): Changes => {
    if (hasUnsavedChanges(row.id)) return 'unsaved'
    const version = published.get(row.id)
    return version && !isEqual(version.definition, row.draft) ? 'unpublished' : null
  }
  return [
    {
      key: 'name',
      title: t('workflows.name'),
      width: 'minmax(180px, 3fr)',
      phone: 'title',
      value: row => row.name,
      cell: row => (
        <span className={styles.nameCell}>
          <Link className={ui.rowLink} to="/workflows/$id" params={{ id: row.id }}>
            <bdi>{row.name}</bdi>
          </Link>
          <DraftChanges changes={changesOf(row)} issues={row.publishedVersion === null ? row.draftErrors.length : 0} />
        </span>
      ),
    },
    {
      key: 'on',
      title: t('workflows.state'),
      width: '176px',
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
      width: 'minmax(120px, 1fr)',
      phone: 'below',
      value: row => row.triggerType,
      cell: row => <span className={styles.quiet}>{row.triggerType}</span>,
      phoneCell: row => (
        <Group gap="sm" wrap="nowrap">
          {row.triggerType} <FailedRuns failed={recent(row)?.failed} onlyIfAny />
        </Group>
      ),
    },
    {
      key: 'runs',
      title: t('workflows.runs7'),
      width: 'minmax(120px, 160px)',
      phone: 'end',
      ...ifComplete(row => recent(row)?.started),
      cell: row => <RunStats stats={stats.get(row.id)} />,
      phoneCell: row => {
        const started = recent(row)?.started
        return (
          started !== undefined && <span className={styles.quiet}>{t('workflows.runsCount7', { count: started })}</span>
        )
      },
    },
    {
      key: 'failed',
      title: t('workflows.failed'),
      width: '80px',
      align: 'right',
      ...ifComplete(row => recent(row)?.failed),
      cell: row => <FailedRuns failed={recent(row)?.failed} />,
    },
    {
      key: 'lastRun',
      title: t('workflows.lastRun'),
      width: '100px',
      ...ifComplete(lastRunAt),
      cell: row => {
        const at = lastRunAt(row)
        return <span className={styles.quiet}>{at ? <Time at={at} /> : '–'}</span>
      },
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
            width: '56px',
            align: 'right' as const,
            keep: true as const,
            cell: (row: Workflow) => <WorkflowMenu workflow={row} />,
          },
        ]
      : []),
  ]
}

type Changes = 'unsaved' | 'unpublished' | null

/** Label of changes that are not published yet. */
const DraftChanges = ({ changes, issues }: { changes: Changes; issues: number }) => {
  const t = useTranslate()
  if (changes) return <Status tone="care">{t(`workflows.changes.${changes}`)}</Status>
  return issues > 0 ? <Status tone="off">{t('workflows.changes.issues', { count: issues })}</Status> : null
}

/** Number of runs in 7 days with a sparkline per day, and the end reasons. */
const RunStats = ({ stats }: { stats: Schemas['WorkflowStats'] | undefined }) => {
  const t = useTranslate()
  const numbers = useNumbers()
  if (!stats) return null
  const { started, completed, failed, exited } = stats.last7Days
  const endCounts = t('workflows.ends', { completed, failed, exited, underWay: started - completed - failed - exited })
  return (
    <Group gap="sm" wrap="nowrap" className={styles.runs!}>
      <span className={`tabular ${styles.runsCount}`}>{numbers(started)}</span>
      <span className={styles.days} role="img" aria-label={endCounts} title={endCounts}>
        <Sparkline values={stats.startedByDay ?? []} />
      </span>
    </Group>
  )
}

const FailedRuns = ({ failed, onlyIfAny = false }: { failed: number | undefined; onlyIfAny?: boolean }) => {
  const numbers = useNumbers()
  const t = useTranslate()
  if (failed === undefined || (failed === 0 && onlyIfAny)) return null
  return failed === 0 ? (
    <span className={styles.quiet}>{numbers(0)}</span>
  ) : (
    <Status tone="failed">{t('workflows.failedCount', { count: failed })}</Status>
  )
}
