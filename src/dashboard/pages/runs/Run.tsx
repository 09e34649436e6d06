import { Anchor, Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Trace } from '../../trace/Trace.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Confirm } from '../../ui/form/Confirm.tsx'
import { Id } from '../../ui/Id.tsx'
import { Body, type Crumb, Page } from '../../ui/Page.tsx'
import { Facts, Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { tones } from '../../ui/tones.ts'
import { CustomerName, useCustomerName } from '../customers/CustomerName.tsx'
import type { Definition } from '../workflows/definition/types.ts'
import { Diagram } from '../workflows/diagram/Diagram.tsx'
import { useVersion } from '../workflows/queries.ts'
import { isInProgress } from '../workflows/runs/in-progress.ts'
import { toExecutedPath } from '../workflows/trials/executed-path.ts'
import { StepList, useOutcomeTexts, useStepBadges } from '../workflows/trials/StepList.tsx'
import styles from '../workflows/workflows.module.css'

type Run = Schemas['Run']

const route = getRouteApi('/signed/runs/$id')

/** Maximum number of created messages that the steps link to. */
const maxMessages = 50

/** Run page: the executed steps on the graph of the run's version, with times and reasons. */
export const RunPage = () => {
  const t = useTranslate()
  const { id } = route.useParams()
  const query = hooks.useQuery('get', '/v1/runs/{id}', { params: { path: { id } } })
  useLiveRefresh(['run'], ['/v1/runs/{id}', '/v1/messages'], news => news.id === id)
  if (query.data) return <RunDetails run={query.data} />
  const workflows: Crumb = { label: t('workflows.title'), link: { to: '/workflows' } }
  return (
    <Page title={t('workflows.run')} crumbs={[workflows]}>
      <Body>
        {query.error ? (
          <Failure
            error={query.error}
            retry={() => void query.refetch()}
            record={t('workflows.run')}
            list={workflows}
          />
        ) : (
          <Skeleton height={320} aria-busy="true" />
        )}
      </Body>
    </Page>
  )
}

const RunDetails = ({ run }: { run: Run }) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const invalidate = useInvalidate()
  const [isStopping, setIsStopping] = useState(false)
  const workflow = hooks.useQuery('get', '/v1/workflows/{id}', { params: { path: { id: run.workflowId } } })
  const version = useVersion(run.workflowId, run.version)
  const stop = async () => {
    await api.POST('/v1/runs/{id}/stop', { params: { path: { id: run.id } } })
    await invalidate('/v1/runs/{id}', '/v1/workflows/{id}/runs')
  }
  const name = workflow.data?.name ?? t('workflows.workflow')
  const customer = useCustomerName(run.customerId)
  return (
    <Page
      title={customer === undefined ? t('workflows.run') : t('workflows.run.of', { name: customer })}
      crumbs={[
        { label: t('workflows.title'), link: { to: '/workflows' } },
        { label: name, link: { to: '/workflows/$id', params: { id: run.workflowId } } },
        {
          label: t('workflows.view.runs'),
          link: { to: '/workflows/$id', params: { id: run.workflowId }, search: { view: 'runs' } },
        },
      ]}
      status={<Status tone={tones.run[run.status]}>{t(`workflows.run.${run.status}`)}</Status>}
      actions={
        isOwner &&
        isInProgress(run) && (
          <Button variant="default" onClick={() => setIsStopping(true)}>
            {t('workflows.run.stop')}
          </Button>
        )
      }
    >
      <div className={`${styles.diagramAndAside} ${styles.lined}`}>
        {version.data ? (
          <RunDiagram run={run} definition={version.data.definition} />
        ) : version.error ? (
          <Body>
            <Failure error={version.error} retry={() => void version.refetch()} />
          </Body>
        ) : (
          <Skeleton className={styles.diagramShape!} />
        )}
        <aside className={styles.aside} aria-label={t('workflows.run')}>
          <VisuallyHidden component="h2">{t('workflows.run')}</VisuallyHidden>
          <RunMessages run={run} definition={version.data?.definition} />
        </aside>
      </div>
      <Confirm
        opened={isStopping}
        title={t('workflows.run.stopTitle')}
        action={t('workflows.run.stop')}
        onClose={() => setIsStopping(false)}
        onConfirm={stop}
      >
        {t('workflows.run.stopText')}
      </Confirm>
    </Page>
  )
}

const RunDiagram = ({ run, definition }: { run: Run; definition: Definition }) => {
  const t = useTranslate()
  const badges = useStepBadges()
  return (
    <Diagram
      definition={definition}
      path={toExecutedPath(definition, run.steps, run.endReason === 'completed')}
      badges={badges(run.steps, run.stepId)}
      label={t('workflows.run.path')}
    />
  )
}

/** Returns the messages that the run created, oldest first. Undefined if they do not match its steps. */
const useMessageIds = ({ id, steps }: Run): string[] | undefined => {
  const count = steps.filter(({ outcome }) => outcome === 'queued').length
  const canMatch = count > 0 && count <= maxMessages && steps.every(({ outcome }) => outcome !== 'skipped')
  const { data } = hooks.useQuery(
    'get',
    '/v1/messages',
    { params: { query: { runId: id, limit: maxMessages } } },
    { enabled: canMatch },
  )
  return canMatch && data?.data.length === count ? data.data.map(message => message.id).reverse() : undefined
}

const RunMessages = ({ run, definition }: { run: Run; definition: Definition | undefined }) => {
  const t = useTranslate()
  const { end } = useOutcomeTexts()
  const [showsTrace, setShowsTrace] = useState(false)
  const messageIds = useMessageIds(run)
  return (
    <>
      <Section title={t('workflows.run')}>
        <Facts
          items={{
            [t('workflows.run.endReason')]: run.endReason && <bdi>{end(run.endReason, run.endDetail)}</bdi>,
            [t('workflows.run.resumes')]: run.wakeAt && (
              <>
                <Time at={run.wakeAt} exact />{' '}
                <span className={styles.whole}>
                  (<Time at={run.wakeAt} />)
                </span>
              </>
            ),
            [t('workflows.run.customer')]: (
              <Anchor
                size="sm"
                renderRoot={(props: object) => <Link {...props} to="/customers/$id" params={{ id: run.customerId }} />}
              >
                <CustomerName id={run.customerId} />
              </Anchor>
            ),
            [t('workflows.run.event')]: (
              <Anchor
                size="sm"
                renderRoot={(props: object) => <Link {...props} to="/events/$id" params={{ id: run.eventId }} />}
              >
                {t('workflows.run.viewEvent')}
              </Anchor>
            ),
            [t('workflows.version')]: run.version,
            [t('workflows.run.started')]: <Time at={run.createdAt} exact />,
            [t('workflows.run.ended')]: run.endedAt && <Time at={run.endedAt} exact />,
            [t('workflows.run.id')]: <Id value={run.id} full />,
          }}
        />
      </Section>
      <Section title={t('workflows.run.steps')}>
        <StepList
          trace={run.steps}
          definition={definition}
          current={run.stepId}
          run={{ createdAt: run.createdAt, messageIds }}
        />
      </Section>
      {/* The steps tell the story. The trace adds what they caused elsewhere. */}
      <Section
        title={t('trace.title')}
        actions={
          <Button
            variant="subtle"
            size="compact-sm"
            aria-expanded={showsTrace}
            onClick={() => setShowsTrace(!showsTrace)}
          >
            {t(showsTrace ? 'trace.hide' : 'trace.show')}
          </Button>
        }
      >
        {showsTrace && <Trace run={run.id} />}
      </Section>
    </>
  )
}
