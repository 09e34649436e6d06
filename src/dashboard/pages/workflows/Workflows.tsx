import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { byCursor, listOf, rowsOf } from '../../api/pages.ts'
import { useFresh } from '../../api/useLive.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useNumbers, useTexts } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, List } from '../../ui/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Sparkline } from '../../ui/Sparkline.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import type { Workflow } from './definition/types.ts'
import { NewWorkflow } from './NewWorkflow.tsx'
import styles from './workflows.module.css'

/** Workflows page: all workflows with their state and their statistics. */
export const Workflows = () => {
  const say = useTexts()
  const navigate = useNavigate()
  const owner = useIsOwner()
  const search: { new?: string } = useSearch({ strict: false })
  const query = hooks.useInfiniteQuery('get', '/v1/workflows', listOf({}), byCursor)
  useFresh(['run'], ['/v1/workflows/{id}/stats'])

  const columns: Column<Workflow>[] = [
    {
      key: 'name',
      title: say('workflows.name'),
      width: 'minmax(130px, 2fr)',
      phone: 'title',
      cell: row => (
        <Link className={ui.rowLink} to="/workflows/$id" params={{ id: row.id }}>
          <bdi>{row.name}</bdi>
        </Link>
      ),
    },
    { key: 'on', title: say('workflows.state'), width: '112px', phone: 'aside', cell: row => <State of={row} /> },
    {
      key: 'trigger',
      title: say('workflows.startsWith'),
      width: 'minmax(100px, 1fr)',
      phone: 'below',
      cell: row => row.triggerType,
      phoneCell: row => (
        <Group gap="sm" wrap="nowrap">
          {row.triggerType} <Failed of={row} onlyIfAny />
        </Group>
      ),
    },
    {
      key: 'version',
      title: say('workflows.version'),
      width: '80px',
      align: 'right',
      wide: true,
      cell: row => row.publishedVersion ?? '–',
    },
    { key: 'runs', title: say('workflows.runs7'), width: '190px', phone: 'end', cell: row => <Runs of={row} /> },
    {
      key: 'waiting',
      title: say('workflows.waiting'),
      width: '64px',
      align: 'right',
      cell: row => <Waiting of={row} />,
    },
    {
      key: 'failed',
      title: say('workflows.failed'),
      width: '72px',
      align: 'right',
      cell: row => <Failed of={row} />,
    },
    {
      key: 'changed',
      title: say('workflows.changed'),
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
        title={say('workflows.title')}
        text={say('workflows.text')}
        readOnly={!owner}
        actions={owner && !isEmpty && <Button onClick={() => create()}>{say('workflows.new')}</Button>}
      >
        <List
          title={say('workflows.title')}
          columns={columns}
          rows={rowsOf(query)}
          idOf={row => row.id}
          open={row => void navigate({ to: '/workflows/$id', params: { id: row.id } })}
          empty={
            <Empty title={say('workflows.emptyTitle')} text={say('workflows.emptyText')}>
              {owner && <Button onClick={() => create('order.created')}>{say('workflows.new')}</Button>}
            </Empty>
          }
        />
      </Page>
      {owner && (
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
export const State = ({ of }: { of: Workflow }) => {
  const say = useTexts()
  if (of.publishedVersion === null)
    return (
      <Status tone="off">{say(of.enabled ? 'workflows.state.onUnpublished' : 'workflows.state.unpublished')}</Status>
    )
  return of.enabled ? (
    <Status tone="done">{say('workflows.state.on')}</Status>
  ) : (
    <Status tone="off">{say('workflows.state.off')}</Status>
  )
}

/** Queries the run statistics of a workflow. All cells of a row share the response. */
const useStats = (id: string): Schemas['WorkflowStats'] | undefined =>
  useQuery({
    ...hooks.queryOptions('get', '/v1/workflows/{id}/stats', { params: { path: { id }, query: { by: 'day' } } }),
    staleTime: 30_000,
  }).data

/** Number of runs in 7 days with a sparkline per day, and the end reasons. */
const Runs = ({ of }: { of: Workflow }) => {
  const say = useTexts()
  const numbers = useNumbers()
  const stats = useStats(of.id)
  if (!stats) return null
  const { started, completed, failed, exited } = stats.last7Days
  const ends = say('workflows.ends', { completed, failed, exited, underWay: started - completed - failed - exited })
  return (
    <Group gap="sm" wrap="nowrap" className={styles.runs}>
      <span className={`tabular ${styles.runsCount}`}>{numbers(stats.last7Days.started)}</span>
      <span className={styles.days} role="img" aria-label={ends} title={ends}>
        <Sparkline values={stats.startedByDay ?? []} />
      </span>
    </Group>
  )
}

const Waiting = ({ of }: { of: Workflow }) => {
  const numbers = useNumbers()
  const stats = useStats(of.id)
  if (!stats) return null
  return numbers(Object.values(stats.waiting).reduce((sum, count) => sum + count, 0))
}

const Failed = ({ of, onlyIfAny = false }: { of: Workflow; onlyIfAny?: boolean }) => {
  const numbers = useNumbers()
  const say = useTexts()
  const failed = useStats(of.id)?.last7Days.failed
  if (failed === undefined || (failed === 0 && onlyIfAny)) return null
  return failed === 0 ? (
    <span className={styles.none}>{numbers(0)}</span>
  ) : (
    <Status tone="failed">{say('workflows.failedCount', { count: failed })}</Status>
  )
}
