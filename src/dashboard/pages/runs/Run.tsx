import { Anchor, Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useFresh } from '../../api/useLive.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { StoryOf } from '../../story/StoryOf.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { Facts, Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { CustomerName } from '../customers/CustomerName.tsx'
import type { Definition } from '../workflows/definition/types.ts'
import { Picture } from '../workflows/picture/Picture.tsx'
import { useVersion } from '../workflows/queries.ts'
import { toneOfRun } from '../workflows/RunsView.tsx'
import { Trace, useMarks, useOutcomes } from '../workflows/Trace.tsx'
import { wayOf } from '../workflows/way.ts'
import styles from '../workflows/workflows.module.css'

type Run = Schemas['Run']

/** Run page: the executed steps on the graph of the run's version, with times and reasons. */
export const RunPage = () => {
  const say = useTexts()
  const { id } = useParams({ strict: false }) as { id: string }
  const query = hooks.useQuery('get', '/v1/runs/{id}', { params: { path: { id } } })
  useFresh(['run'], ['/v1/runs/{id}'], news => news.id === id)
  if (query.data) return <Loaded run={query.data} />
  return (
    <Page title={say('workflows.run')}>
      <Body>
        {query.error ? (
          <Failure of={query.error} retry={() => void query.refetch()} />
        ) : (
          <Skeleton height={320} aria-busy="true" />
        )}
      </Body>
    </Page>
  )
}

const isUnderWay = ({ status }: Run) => status === 'active' || status === 'waiting'

const Loaded = ({ run }: { run: Run }) => {
  const say = useTexts()
  const owner = useIsOwner()
  const queries = useQueryClient()
  const [stopping, setStopping] = useState(false)
  const workflow = hooks.useQuery('get', '/v1/workflows/{id}', { params: { path: { id: run.workflowId } } })
  const version = useVersion(run.workflowId, run.version)
  const stop = async () => {
    await api.POST('/v1/runs/{id}/stop', { params: { path: { id: run.id } } })
    await queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[1] === '/v1/runs/{id}' || queryKey[1] === '/v1/workflows/{id}/runs',
    })
  }
  const name = workflow.data?.name ?? say('workflows.one')
  return (
    <Page
      title={say('workflows.run.of', { name })}
      actions={
        <>
          <Button
            variant="default"
            renderRoot={(props: object) => (
              <Link {...props} to="/workflows/$id" params={{ id: run.workflowId }} search={{ view: 'runs' }} />
            )}
          >
            {say('workflows.run.all')}
          </Button>
          {owner && isUnderWay(run) && (
            <Button variant="default" onClick={() => setStopping(true)}>
              {say('workflows.run.stop')}
            </Button>
          )}
        </>
      }
    >
      <div className={`${styles.pictureAndAside} ${styles.lined}`}>
        {version.data ? (
          <Way run={run} definition={version.data.definition} />
        ) : version.error ? (
          <Body>
            <Failure of={version.error} retry={() => void version.refetch()} />
          </Body>
        ) : (
          <Skeleton className={styles.pictureShape!} />
        )}
        <aside className={styles.aside} aria-label={say('workflows.run')}>
          <VisuallyHidden component="h2">{say('workflows.run')}</VisuallyHidden>
          <Said run={run} definition={version.data?.definition} />
        </aside>
      </div>
      <Confirm
        opened={stopping}
        title={say('workflows.run.stopTitle')}
        action={say('workflows.run.stop')}
        onClose={() => setStopping(false)}
        onConfirm={stop}
      >
        {say('workflows.run.stopText')}
      </Confirm>
    </Page>
  )
}

const Way = ({ run, definition }: { run: Run; definition: Definition }) => {
  const say = useTexts()
  const marks = useMarks()
  return (
    <Picture
      definition={definition}
      way={wayOf(definition, run.steps, run.endReason === 'completed')}
      marks={marks(run.steps, run.stepId)}
      label={say('workflows.run.way')}
    />
  )
}

const Said = ({ run, definition }: { run: Run; definition: Definition | undefined }) => {
  const say = useTexts()
  const { end } = useOutcomes()
  return (
    <>
      <Section title={say('story.title')}>
        <StoryOf run={run.id} />
      </Section>
      <Section title={say('workflows.run')}>
        <Facts
          of={{
            [say('workflows.state')]: (
              <Status tone={toneOfRun[run.status]}>{say(`workflows.run.${run.status}`)}</Status>
            ),
            [say('workflows.run.why')]: run.endReason && (
              <>
                {end(run.endReason)}
                {run.endDetail && (
                  <>
                    {': '}
                    <bdi>{run.endDetail}</bdi>
                  </>
                )}
              </>
            ),
            [say('workflows.run.goesOn')]: run.wakeAt && <Time at={run.wakeAt} exact />,
            [say('workflows.run.customer')]: (
              <Anchor
                size="sm"
                renderRoot={(props: object) => <Link {...props} to="/customers/$id" params={{ id: run.customerId }} />}
              >
                <CustomerName id={run.customerId} />
              </Anchor>
            ),
            [say('workflows.run.started')]: <Time at={run.createdAt} exact />,
            [say('workflows.run.ended')]: run.endedAt && <Time at={run.endedAt} exact />,
            [say('workflows.run')]: <Id value={run.id} whole />,
          }}
        />
      </Section>
      <Section title={say('workflows.run.steps')}>
        <Trace trace={run.steps} definition={definition} current={run.stepId} />
      </Section>
    </>
  )
}
