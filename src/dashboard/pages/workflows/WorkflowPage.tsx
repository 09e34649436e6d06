import { Alert, Button, Group, Skeleton, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { Failure as ApiFailure, api } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { searchOf, type View, views } from './address.ts'
import { useChecked } from './checked.ts'
import { Differences } from './Differences.tsx'
import { drawn, same } from './definition/edit.ts'
import { type DrawnWorkflow, type Fault, faultsOfDetails, stepOfPlace } from './definition/types.ts'
import { type Draft, useDraft } from './draft.ts'
import { FaultList } from './FaultList.tsx'
import { type Refusal, useFaults } from './faults.ts'
import { Publish } from './Publish.tsx'
import { usePublished, useTell, useWorkflow } from './queries.ts'
import { Remove } from './Remove.tsx'
import { Rename } from './Rename.tsx'
import { SwitchOnOff } from './SwitchOnOff.tsx'
import type { ViewOf } from './view.ts'
import { State } from './Workflows.tsx'
import styles from './workflows.module.css'

/** Workflow page: the editor, the JSON text, dry run, replay, publishing and runs. */
export const WorkflowPage = () => {
  const say = useTexts()
  const { id } = useParams({ strict: false }) as { id: string }
  const query = useWorkflow(id)
  if (query.data) return <Loaded key={id} workflow={query.data} />
  return (
    <Page title={say('workflows.one')}>
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

const Loaded = ({ workflow }: { workflow: DrawnWorkflow }) => {
  const say = useTexts()
  const owner = useIsOwner()
  const navigate = useNavigate()
  const tell = useTell()
  const { id } = workflow
  const search = searchOf(useSearch({ strict: false }))
  const view = search.view ?? views[0]
  const draft = useDraft(workflow)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const [publishing, setPublishing] = useState(false)
  const checked = useChecked(owner ? draft.definition : null)
  const faults = useFaults(draft.definition, refusal, checked)
  const published = usePublished(workflow)
  const isPublished = !draft.changed && published.data && same(published.data.definition, workflow.draft)

  /** Stores the errors of a rejected definition and shows them in place. Returns false if the error names no place. */
  const refused = (error: unknown): boolean => {
    const told = error instanceof ApiFailure ? faultsOfDetails(error.details) : []
    if (told.length === 0) return false
    setRefusal({ of: draft.definition, faults: told })
    return true
  }
  /** Returns the workflow as saved, or null if it was not saved. */
  const save = async (): Promise<DrawnWorkflow | null> => {
    setBusy(true)
    setFailure(null)
    try {
      const path = { params: { path: { id } } }
      // Reads the workflow first, so that a change by another person is not overwritten unseen.
      const now = (await api.GET('/v1/workflows/{id}', path)).data
      if (now) tell(now)
      if (now && !same(now.draft, workflow.draft) && !same(now.draft, draft.definition)) return null
      const { data } = await api.PATCH('/v1/workflows/{id}', { ...path, body: { definition: draft.definition } })
      if (!data) return null
      const saved = drawn(data)
      tell(data)
      draft.saved(saved.draft)
      setRefusal(null)
      return saved
    } catch (error) {
      refused(error)
      setFailure(error)
      return null
    } finally {
      setBusy(false)
    }
  }
  /** Says that the draft cannot be published and opens the step of the first error. */
  const notPublished = (told: Fault[]) => {
    const [first] = told
    if (!first) return
    setPublishing(false)
    setRefusal({ of: draft.definition, faults: told })
    notifications.show({ message: say('workflows.publish.incomplete', { reason: first.reason }) })
    edit(first)
  }
  const publish = async () => {
    const saved = draft.changed ? await save() : workflow
    if (!saved) return
    const errors = saved.draftErrors.map(({ path, message }) => [path, message])
    if (errors.length > 0) notPublished(faultsOfDetails(Object.fromEntries(errors)))
    else setPublishing(true)
  }
  useHotkeys(
    [
      ['mod+Z', () => draft.undo?.()],
      ['mod+shift+Z', () => draft.redo?.()],
    ],
    ['INPUT', 'TEXTAREA', 'SELECT'],
  )
  useHotkeys([['mod+S', () => void (owner && draft.changed && save())]], [])

  const open = (step: string | undefined) =>
    void navigate({
      to: '/workflows/$id',
      params: { id },
      search: { ...(view !== views[0] && { view }), ...(step && { step }) },
    })
  const edit = (fault?: Fault) =>
    void navigate({
      to: '/workflows/$id',
      params: { id },
      search: fault ? { step: stepOfPlace(fault.place) } : {},
    })
  const Shown = shown[view]
  return (
    <>
      <Page
        title={workflow.name}
        readOnly={!owner}
        actions={
          <>
            {owner && <Rename workflow={workflow} onChanged={tell} />}
            {owner && !workflow.enabled && <Remove workflow={workflow} />}
            {owner ? <SwitchOnOff workflow={workflow} onChanged={tell} /> : <State of={workflow} />}
            {owner && (
              <>
                <Button.Group className={styles.way!} data-any={Boolean(draft.undo || draft.redo) || undefined}>
                  <Button variant="default" disabled={!draft.undo} onClick={() => draft.undo?.()}>
                    {say('workflows.undo')}
                  </Button>
                  <Button variant="default" disabled={!draft.redo} onClick={() => draft.redo?.()}>
                    {say('workflows.redo')}
                  </Button>
                </Button.Group>
                <Button
                  variant="default"
                  loading={busy}
                  disabled={!draft.changed || draft.theirs !== null}
                  onClick={() => void save()}
                >
                  {say('workflows.save')}
                </Button>
                <Button disabled={busy || draft.theirs !== null || isPublished === true} onClick={() => void publish()}>
                  {say('workflows.publish')}
                </Button>
              </>
            )}
          </>
        }
      >
        <div className={styles.tabs}>
          <nav className={styles.tabLinks} aria-label={say('workflows.views')}>
            {views.map(one => (
              <Link
                key={one}
                to="/workflows/$id"
                params={{ id }}
                search={one === views[0] ? {} : { view: one }}
                className={styles.tab}
                aria-current={one === view ? 'page' : undefined}
                activeOptions={{ exact: true, includeSearch: true }}
              >
                {say(`workflows.view.${one}`)}
              </Link>
            ))}
          </nav>
          <span className={styles.standing} role="status">
            <Standing workflow={workflow} draft={draft} isPublished={isPublished} faults={faults} />
          </span>
        </div>
        {failure !== null && (
          <div className={styles.notice}>
            <Failure of={failure} retry={() => void save()} />
          </div>
        )}
        {draft.theirs && <Theirs draft={draft} />}
        <Suspense
          fallback={
            <Body>
              <Skeleton height={320} />
            </Body>
          }
        >
          <div className={styles.view}>
            <Shown
              workflow={workflow}
              draft={draft}
              faults={faults}
              readOnly={!owner}
              step={search.step}
              event={search.event}
              open={open}
              edit={edit}
              save={save}
              refused={refused}
            />
          </div>
        </Suspense>
        {view === 'editor' && <FaultList faults={faults} open={edit} />}
      </Page>
      {publishing && (
        <Publish
          workflow={workflow}
          onClose={() => setPublishing(false)}
          onRefused={error => {
            const told = error instanceof ApiFailure ? faultsOfDetails(error.details) : []
            notPublished(told)
            return told.length > 0
          }}
          onPublished={now => {
            setPublishing(false)
            tell(now)
            notifications.show({
              message: say(now.enabled ? 'workflows.publish.done' : 'workflows.publish.doneOff', {
                version: now.publishedVersion,
              }),
              autoClose: 4000,
            })
          }}
        />
      )}
    </>
  )
}

/** Lazy views, so that the libraries for the graph and the JSON text are loaded on first use. */
const shown: Record<View, ComponentType<ViewOf>> = {
  editor: lazy(() => import('./Editor.tsx').then(({ Editor }) => ({ default: Editor }))),
  json: lazy(() => import('./JsonView.tsx').then(({ JsonView }) => ({ default: JsonView }))),
  try: lazy(() => import('./TryView.tsx').then(({ TryView }) => ({ default: TryView }))),
  replay: lazy(() => import('./ReplayView.tsx').then(({ ReplayView }) => ({ default: ReplayView }))),
  runs: lazy(() => import('./RunsView.tsx').then(({ RunsView }) => ({ default: RunsView }))),
  history: lazy(() => import('./HistoryView.tsx').then(({ HistoryView }) => ({ default: HistoryView }))),
}

/** State of the draft: saved or not, and whether it is the published version. */
const Standing = ({
  workflow,
  draft,
  isPublished,
  faults,
}: {
  workflow: DrawnWorkflow
  draft: Draft
  isPublished: boolean | undefined
  faults: Fault[]
}) => {
  const say = useTexts()
  if (draft.changed) return say('workflows.standing.unsaved')
  if (faults.length > 0 && isPublished !== true) return say('workflows.standing.incomplete', { count: faults.length })
  if (workflow.publishedVersion === null) return say('workflows.standing.never')
  // Nothing is shown until it is known.
  if (isPublished === undefined) return null
  return isPublished
    ? say('workflows.standing.published', { version: workflow.publishedVersion })
    : say('workflows.standing.differs', { version: workflow.publishedVersion })
}

/** Another person has saved in the meantime. The user chooses which version to keep. */
const Theirs = ({ draft }: { draft: Draft }) => {
  const say = useTexts()
  if (!draft.theirs) return null
  return (
    <div className={styles.notice}>
      <Alert variant="default" role="alert" title={<Status tone="care">{say('workflows.theirs.title')}</Status>}>
        <Text size="sm" mb="sm">
          {say('workflows.theirs.text')}
        </Text>
        <Differences before={draft.definition} after={draft.theirs} />
        <Group gap="sm" mt="sm">
          <Button variant="default" onClick={draft.takeTheirs}>
            {say('workflows.theirs.take')}
          </Button>
          <Button variant="default" onClick={draft.keepMine}>
            {say('workflows.theirs.keep')}
          </Button>
        </Group>
      </Alert>
    </div>
  )
}
