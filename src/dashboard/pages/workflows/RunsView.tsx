import { Anchor, Skeleton } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { cursorPagination, pageSize, toRows } from '../../api/pages.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, List } from '../../ui/list/List.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { tones } from '../../ui/tones.ts'
import ui from '../../ui/ui.module.css'
import { CustomerName } from '../customers/CustomerName.tsx'
import type { Definition } from './definition/types.ts'
import { Diagram } from './diagram/Diagram.tsx'
import { usePublished } from './queries.ts'
import { useOutcomeTexts } from './trials/StepList.tsx'
import type { ViewProps } from './view-props.ts'
import styles from './workflows.module.css'

type Row = Schemas['Run']

/** Runs of a workflow: the number at each step, and the list, newest first. */
export const RunsView = ({ workflow }: ViewProps) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const { id } = workflow
  const { end } = useOutcomeTexts()
  const stats = hooks.useQuery('get', '/v1/workflows/{id}/stats', { params: { path: { id } } })
  const published = usePublished(workflow)
  const query = hooks.useInfiniteQuery(
    'get',
    '/v1/workflows/{id}/runs',
    { params: { path: { id }, query: { limit: pageSize } } },
    cursorPagination,
  )
  useLiveRefresh(['run'], ['/v1/workflows/{id}/stats'])

  const definition = published.data?.definition ?? workflow.draft
  const endText = ({ endDetail }: Row, reason: string) => (endDetail ? `${end(reason)}: ${endDetail}` : end(reason))
  const columns: Column<Row>[] = [
    {
      key: 'when',
      title: t('workflows.run.started'),
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
      title: t('workflows.state'),
      width: '96px',
      phone: 'aside',
      cell: row => <Status tone={tones.run[row.status]}>{t(`workflows.run.${row.status}`)}</Status>,
    },
    {
      key: 'where',
      title: t('workflows.run.status'),
      width: 'minmax(140px, 1.4fr)',
      phone: 'below',
      cell: row =>
        row.endReason ? (
          <bdi>{endText(row, row.endReason)}</bdi>
        ) : (
          <CurrentStep id={row.stepId} definition={definition} />
        ),
    },
    {
      key: 'customer',
      title: t('workflows.run.customer'),
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
    { key: 'version', title: t('workflows.version'), width: '70px', align: 'right', cell: row => row.version },
  ]
  return (
    <div className={styles.diagramAndList}>
      {stats.isPending ? (
        <Skeleton className={styles.diagramShape!} />
      ) : (
        <Diagram
          definition={definition}
          label={t('workflows.run.diagram')}
          badges={Object.fromEntries(
            Object.entries(stats.data?.waiting ?? {})
              .filter(([, count]) => count > 0)
              .map(([step, count]) => [step, { text: t('workflows.run.waitingHere', { count }), tone: 'moving' }]),
          )}
        />
      )}
      <List
        title={t('workflows.view.runs')}
        columns={columns}
        rows={toRows(query)}
        getId={row => row.id}
        live={{ kinds: ['run'], refresh: () => void query.refetch() }}
        open={row => void navigate({ to: '/runs/$id', params: { id: row.id } })}
        empty={
          <Empty
            title={t('workflows.run.emptyTitle')}
            text={t('workflows.run.emptyText', { type: workflow.triggerType })}
          >
            <Anchor
              size="sm"
              renderRoot={(props: object) => (
                <Link {...props} to="/workflows/$id" params={{ id }} search={{ view: 'try' }} />
              )}
            >
              {t('workflows.run.emptyTry')}
            </Anchor>
          </Empty>
        }
      />
    </div>
  )
}

/** Current step of a run: its type and its id. */
const CurrentStep = ({ id, definition }: { id: string | null; definition: Definition }) => {
  const t = useTranslate()
  const type = id === null ? undefined : definition.steps[id]?.type
  return (
    <>
      {type && t(`workflows.step.${type}`)} {id !== null && <code className={styles.quiet}>{id}</code>}
    </>
  )
}
