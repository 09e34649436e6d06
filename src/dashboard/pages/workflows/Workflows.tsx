import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { cursorPagination, listParams, toRows } from '../../api/pages.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Sparkline } from '../../ui/charts/Sparkline.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, List } from '../../ui/list/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import type { Workflow } from './definition/types.ts'
import { NewWorkflow } from './NewWorkflow.tsx'
import styles from './workflows.module.css'

/** Workflows page: all workflows with their state and their statistics. */
export const Workflows = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const search: { new?: string } = useSearch({ strict: false })
  const query = hooks.useInfiniteQuery('get', '/v1/workflows', listParams({}), cursorPagination)
  useLiveRefresh(['run'], ['/v1/workflows/{id}/stats'])

  const columns: Column<Workflow>[] = [
    {
      key: 'name',
      title: t('workflows.name'),
      width: 'minmax(130px, 2fr)',
      phone: 'title',
      cell: row => (
        <Link className={ui.rowLink} to="/workflows/$id" params={{ id: row.id }}>
          <bdi>{row.name}</bdi>
        </Link>
      ),
    },
    {
      key: 'on',
      title: t('workflows.state'),
      width: '112px',
      phone: 'aside',
      cell: row => <WorkflowState workflow={row} />,
    },
    {
      key: 'trigger',
      title: t('workflows.startsWith'),
      width: 'minmax(100px, 1fr)',
      phone: 'below',
      cell: row => row.triggerType,
      phoneCell: row => (
        <Group gap="sm" wrap="nowrap">
          {row.triggerType} <FailedRuns workflow={row} onlyIfAny />
        </Group>
      ),
    },
    {
      key: 'version',
      title: t('workflows.version'),
      width: '80px',
      align: 'right',
      wide: true,
      cell: row => row.publishedVersion ?? '–',
    },
    {
      key: 'runs',
      title: t('workflows.runs7'),
      width: '190px',
      phone: 'end',
      cell: row => <RunStats workflow={row} />,
    },
    {
      key: 'waiting',
      title: t('workflows.waiting'),
      width: '64px',
      align: 'right',
      cell: row => <WaitingRuns workflow={row} />,
    },
    {
      key: 'failed',
      title: t('workflows.failed'),
      width: '72px',
      align: 'right',
      cell: row => <FailedRuns workflow={row} />,
    },
    {
      key: 'changed',
      title: t('workflows.changed'),
      width: '110px',
      wide: true,
      cell: row => <Time at={row.updatedAt} />,
    },
  ]

  const isEmpty = query.data?.pages[0]?.data.length === 0
  const create = (eventType = '') => void navigate({ to: '/workflows', search: { new: eventType } })
  return (
    <>
      <Page
        title={t('workflows.title')}
        text={t('workflows.text')}
        readOnly={!isOwner}
        actions={isOwner && !isEmpty && <Button onClick={() => create()}>{t('workflows.new')}</Button>}
      >
        <List
          title={t('workflows.title')}
          columns={columns}
          rows={toRows(query)}
          getId={row => row.id}
          open={row => void navigate({ to: '/workflows/$id', params: { id: row.id } })}
          empty={
            <Empty title={t('workflows.emptyTitle')} text={t('workflows.emptyText')}>
              {isOwner && <Button onClick={() => create('order.created')}>{t('workflows.new')}</Button>}
            </Empty>
          }
        />
      </Page>
      {isOwner && (
        <NewWorkflow
          opened={search.new !== undefined}
          eventType={search.new ?? ''}
          onClose={() => void navigate({ to: '/workflows', search: {} })}
        />
      )}
    </>
  )
}

/** State of a workflow: on, off, or not published. */
export const WorkflowState = ({ workflow }: { workflow: Workflow }) => {
  const t = useTranslate()
  if (workflow.publishedVersion === null)
    return (
      <Status tone="off">
        {t(workflow.enabled ? 'workflows.state.onUnpublished' : 'workflows.state.unpublished')}
      </Status>
    )
  return workflow.enabled ? (
    <Status tone="done">{t('workflows.state.on')}</Status>
  ) : (
    <Status tone="off">{t('workflows.state.off')}</Status>
  )
}

/** Queries the run statistics of a workflow. All cells of a row share the response. */
const useStats = (id: string): Schemas['WorkflowStats'] | undefined =>
  useQuery({
    ...hooks.queryOptions('get', '/v1/workflows/{id}/stats', { params: { path: { id }, query: { by: 'day' } } }),
    staleTime: 30_000,
  }).data

/** Number of runs in 7 days with a sparkline per day, and the end reasons. */
const RunStats = ({ workflow }: { workflow: Workflow }) => {
  const t = useTranslate()
  const numbers = useNumbers()
  const stats = useStats(workflow.id)
  if (!stats) return null
  const { started, completed, failed, exited } = stats.last7Days
  const endCounts = t('workflows.ends', { completed, failed, exited, underWay: started - completed - failed - exited })
  return (
    <Group gap="sm" wrap="nowrap" className={styles.runs}>
      <span className={`tabular ${styles.runsCount}`}>{numbers(stats.last7Days.started)}</span>
      <span className={styles.days} role="img" aria-label={endCounts} title={endCounts}>
        <Sparkline values={stats.startedByDay ?? []} />
      </span>
    </Group>
  )
}

const WaitingRuns = ({ workflow }: { workflow: Workflow }) => {
  const numbers = useNumbers()
  const stats = useStats(workflow.id)
  if (!stats) return null
  return numbers(Object.values(stats.waiting).reduce((sum, count) => sum + count, 0))
}

const FailedRuns = ({ workflow, onlyIfAny = false }: { workflow: Workflow; onlyIfAny?: boolean }) => {
  const numbers = useNumbers()
  const t = useTranslate()
  const failed = useStats(workflow.id)?.last7Days.failed
  if (failed === undefined || (failed === 0 && onlyIfAny)) return null
  return failed === 0 ? (
    <span className={styles.quiet}>{numbers(0)}</span>
  ) : (
    <Status tone="failed">{t('workflows.failedCount', { count: failed })}</Status>
  )
}
