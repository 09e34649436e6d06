import { Anchor, Skeleton } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { byCursor, pageSize, rowsOf } from '../../api/pages.ts'
import { useFresh } from '../../api/useLive.ts'
import { useTexts } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, List } from '../../ui/List.tsx'
import { Status, type Tone } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { CustomerName } from '../customers/CustomerName.tsx'
import type { Definition } from './definition/types.ts'
import { Picture } from './picture/Picture.tsx'
import { usePublished } from './queries.ts'
import { useOutcomes } from './Trace.tsx'
import type { ViewOf } from './view.ts'
import styles from './workflows.module.css'

type Row = Schemas['Run']

export const toneOfRun: Record<Row['status'], Tone> = {
  active: 'moving',
  waiting: 'moving',
  done: 'done',
  failed: 'failed',
  stopped: 'off',
}

/** Runs of a workflow: the number at each step, and the list, newest first. */
export const RunsView = ({ workflow }: ViewOf) => {
  const say = useTexts()
  const navigate = useNavigate()
  const { id } = workflow
  const { end } = useOutcomes()
  const stats = hooks.useQuery('get', '/v1/workflows/{id}/stats', { params: { path: { id } } })
  const published = usePublished(workflow)
  const query = hooks.useInfiniteQuery(
    'get',
    '/v1/workflows/{id}/runs',
    { params: { path: { id }, query: { limit: pageSize } } },
    byCursor,
  )
  useFresh(['run'], ['/v1/workflows/{id}/stats'])

  const definition = published.data?.definition ?? workflow.draft
  const ended = ({ endDetail }: Row, reason: string) => (endDetail ? `${end(reason)}: ${endDetail}` : end(reason))
  const columns: Column<Row>[] = [
    {
      key: 'when',
      title: say('workflows.run.started'),
      width: '104px',
      phone: 'title',
      cell: row => (
        <Link className={ui.rowLink} to="/runs/$id" params={{ id: row.id }}>
          <Time at={row.createdAt} />
        </Link>
      ),
    },
    {
      key: 'status',
      title: say('workflows.state'),
      width: '96px',
      phone: 'aside',
      cell: row => <Status tone={toneOfRun[row.status]}>{say(`workflows.run.${row.status}`)}</Status>,
    },
    {
      key: 'where',
      title: say('workflows.run.where'),
      width: 'minmax(140px, 1.4fr)',
      phone: 'below',
      cell: row =>
        row.endReason ? <bdi>{ended(row, row.endReason)}</bdi> : <StandsAt id={row.stepId} of={definition} />,
    },
    {
      key: 'customer',
      title: say('workflows.run.customer'),
      width: 'minmax(120px, 1fr)',
      phone: 'end',
      cell: row => (
        <Anchor
          size="sm"
          renderRoot={(props: object) => <Link {...props} to="/customers/$id" params={{ id: row.customerId }} />}
        >
          <CustomerName id={row.customerId} />
        </Anchor>
      ),
    },
    { key: 'version', title: say('workflows.version'), width: '70px', align: 'right', cell: row => row.version },
  ]
  return (
    <div className={styles.pictureAndList}>
      {stats.isPending ? (
        <Skeleton className={styles.pictureShape!} />
      ) : (
        <Picture
          definition={definition}
          label={say('workflows.run.picture')}
          marks={Object.fromEntries(
            Object.entries(stats.data?.waiting ?? {})
              .filter(([, count]) => count > 0)
              .map(([step, count]) => [step, { text: say('workflows.run.standHere', { count }), tone: 'moving' }]),
          )}
        />
      )}
      <List
        title={say('workflows.view.runs')}
        columns={columns}
        rows={rowsOf(query)}
        idOf={row => row.id}
        live={{ kinds: ['run'], refresh: () => void query.refetch() }}
        open={row => void navigate({ to: '/runs/$id', params: { id: row.id } })}
        empty={
          <Empty
            title={say('workflows.run.emptyTitle')}
            text={say('workflows.run.emptyText', { type: workflow.triggerType })}
          >
            <Anchor
              size="sm"
              renderRoot={(props: object) => (
                <Link {...props} to="/workflows/$id" params={{ id }} search={{ view: 'try' }} />
              )}
            >
              {say('workflows.run.emptyTry')}
            </Anchor>
          </Empty>
        }
      />
    </div>
  )
}

/** Current step of a run: its type and its id. */
const StandsAt = ({ id, of }: { id: string | null; of: Definition }) => {
  const say = useTexts()
  const type = id === null ? undefined : of.steps[id]?.type
  return (
    <>
      {type && say(`workflows.step.${type}`)} {id !== null && <code className={styles.none}>{id}</code>}
    </>
  )
}
