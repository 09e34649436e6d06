import { Alert, Button, Group, Skeleton, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { Failure as ApiFailure } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { useNotify } from '../../ui/useNotify.tsx'
import { isEqual, toDrawnWorkflow } from './definition/edit.ts'
import { type DrawnWorkflow, type Fault, getStepId, toFaults } from './definition/types.ts'
import { FaultList } from './faults/FaultList.tsx'
import { type ApiFaults, useFaults } from './faults/faults.ts'
import { useShownFaults } from './faults/useShownFaults.ts'
import { useValidation } from './faults/useValidation.ts'
import { Publish } from './manage/Publish.tsx'
import { WorkflowActions } from './manage/WorkflowActions.tsx'
import { usePublished, useUpdateCache, useWorkflow } from './queries.ts'
import { SaveStatus } from './SaveStatus.tsx'
import { parseSearch, type View, views } from './search.ts'
import { useAutosave } from './useAutosave.ts'
import { type Draft, useDraft } from './useDraft.ts'
import { Differences } from './versions/Differences.tsx'
import type { PreparedDraft, ViewProps } from './view-props.ts'
import styles from './workflows.module.css'

const route = getRouteApi('/signed/workflows/$id')

/** Workflow page: the editor with the test, the JSON text, the backtest, publishing and runs. */
export const WorkflowPage = () => {
  const t = useTranslate()
  const { id } = route.useParams()
  const query = useWorkflow(id)
  if (query.data) return <LoadedWorkflow key={id} workflow={query.data} />
  return (
    <Page title={t('workflows.workflow')} crumbs={[{ label: t('workflows.title'), link: { to: '/workflows' } }]}>
      <Body>
        {query.error ? (
          <Failure
            error={query.error}
            retry={() => void query.refetch()}
            record={t('workflows.workflow')}
            list={{ label: t('workflows.title'), link: { to: '/workflows' } }}
          />
        ) : (
          <Skeleton height={320} aria-busy="true" />
        )}
      </Body>
    </Page>
  )
}

const LoadedWorkflow = ({ workflow }: { workflow: DrawnWorkflow }) => {
  const t = useTranslate()
  const notify = useNotify()
  const isOwner = useIsOwner()
  const navigate = useNavigate()
  const updateCache = useUpdateCache()
  const { id } = workflow
  // The router keeps invalid values of the address.
  const { view = views[0], ...search } = parseSearch({ ...route.useSearch() })
  const draft = useDraft(workflow)
  const [apiFaults, setApiFaults] = useState<ApiFaults | null>(null)
  /** Draft that the dialog publishes. Null while it is closed. */
  const [publishing, setPublishing] = useState<DrawnWorkflow | null>(null)
  const readOnly = !isOwner || workflow.archivedAt !== null
  const validation = useValidation(readOnly ? null : draft.definition)
  const faults = useFaults(draft.definition, apiFaults, validation)
  const shownFaults = useShownFaults(faults, isBlank(workflow) ? ['start'] : [])
  const published = usePublished(workflow)
  const isPublished = published.data && isEqual(published.data.definition, draft.definition)
  const autosave = useAutosave(workflow, draft, {
    enabled: !readOnly,
    onRejected: (definition, error) => {
      if (error instanceof ApiFailure) setApiFaults({ definition, faults: toFaults(error.details) })
    },
  })

  /** Stores the errors of a rejected definition and shows them in place. Returns false if the error names no place. */
  const showApiFaults = (error: unknown): boolean => {
    const newFaults = error instanceof ApiFailure ? toFaults(error.details) : []
    if (newFaults.length === 0) return false
    shownFaults.showAll()
    setApiFaults({ definition: draft.definition, faults: newFaults })
    return true
  }
  const prepare = async (): Promise<PreparedDraft | null> => {
    const saved = await autosave.save()
    if (!saved) return null
    shownFaults.showAll()
    if (faults.length > 0) return { workflow: saved, faults }
    const errors = toFaults(Object.fromEntries(saved.draftErrors.map(({ path, message }) => [path, message])))
    if (errors.length > 0) setApiFaults({ definition: saved.draft, faults: errors })
    return { workflow: saved, faults: errors }
  }
  /** Says that the draft cannot be published and opens the step of the first error. */
  const rejectPublishing = ([first]: Fault[]) => {
    setPublishing(null)
    if (!first) return
    notify.error(t('workflows.publish.incomplete', { reason: first.reason }))
    edit(first)
  }
  const publish = async () => {
    const prepared = await prepare()
    if (!prepared) return
    if (prepared.faults.length > 0) rejectPublishing(prepared.faults)
    else setPublishing(toDrawnWorkflow(prepared.workflow))
  }
  const onPublish = isPublished === true || draft.theirs ? null : () => void publish()
  useHotkeys(
    [
      ['mod+Z', () => draft.undo?.()],
      ['mod+shift+Z', () => draft.redo?.()],
    ],
    ['INPUT', 'TEXTAREA', 'SELECT'],
  )
  useHotkeys([['mod+S', () => void (!readOnly && autosave.save())]], [])

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
      search: { ...(view === 'try' && fault && { view }), ...(fault && { step: getStepId(fault.path) }) },
    })
  const ActiveView = viewComponents[view]
  return (
    <>
      <Page
        title={workflow.name}
        crumbs={[{ label: t('workflows.title'), link: { to: '/workflows' } }]}
        readOnly={!isOwner}
        actions={
          <WorkflowActions
            workflow={workflow}
            draft={draft}
            readOnly={readOnly}
            published={published.data?.definition}
            onPublish={onPublish}
          />
        }
      >
        <div className={styles.tabs}>
          <nav className={styles.tabLinks} aria-label={t('workflows.views')}>
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
                {t(`workflows.view.${one}`)}
              </Link>
            ))}
          </nav>
          <SaveStatus
            workflow={workflow}
            draft={draft}
            isPublished={isPublished}
            faults={shownFaults.faults}
            autosave={autosave}
            readOnly={readOnly}
          />
        </div>
        {draft.theirs && <ConflictNotice draft={draft} />}
        <Suspense
          fallback={
            <Body>
              <Skeleton height={320} />
            </Body>
          }
        >
          <div className={styles.view}>
            <ActiveView
              workflow={workflow}
              draft={draft}
              faults={shownFaults.faults}
              shownFaults={shownFaults}
              readOnly={readOnly}
              isTesting={view === 'try'}
              step={search.step}
              event={search.event}
              search={search}
              open={open}
              edit={edit}
              prepare={prepare}
              publish={onPublish}
              showApiFaults={showApiFaults}
            />
          </div>
        </Suspense>
        {view === 'editor' && <FaultList faults={shownFaults.faults} definition={draft.definition} open={edit} />}
      </Page>
      {publishing && (
        <Publish
          workflow={publishing}
          onClose={() => setPublishing(null)}
          onRejected={error => {
            const isShown = showApiFaults(error)
            if (isShown) rejectPublishing(error instanceof ApiFailure ? toFaults(error.details) : [])
            return isShown
          }}
          onPublished={current => {
            setPublishing(null)
            updateCache(current)
            notify(
              t(current.enabled ? 'workflows.publish.done' : 'workflows.publish.doneOff', {
                version: current.publishedVersion,
                type: current.triggerType,
              }),
            )
          }}
        />
      )}
    </>
  )
}

/** Returns true for a new blank workflow, whose trigger the person is about to enter. */
const isBlank = ({ publishedVersion, draft }: DrawnWorkflow): boolean =>
  publishedVersion === null && draft.trigger.eventType === ''

/** Loads the editor on first use, with the library for the graph. */
const Editor = lazy(() => import('./Editor.tsx').then(({ Editor }) => ({ default: Editor })))

/** Lazy views, so that the libraries for the graph and the JSON text are loaded on first use. */
const viewComponents: Record<View, ComponentType<ViewProps>> = {
  editor: Editor,
  json: lazy(() => import('./json/JsonView.tsx').then(({ JsonView }) => ({ default: JsonView }))),
  // One component for both, so that the result of the test survives a change of the view.
  try: Editor,
  replay: lazy(() => import('./trials/ReplayView.tsx').then(({ ReplayView }) => ({ default: ReplayView }))),
  runs: lazy(() => import('./runs/RunsView.tsx').then(({ RunsView }) => ({ default: RunsView }))),
  history: lazy(() => import('./versions/HistoryView.tsx').then(({ HistoryView }) => ({ default: HistoryView }))),
}

/** Another person has saved in the meantime. The user chooses which version to keep. */
const ConflictNotice = ({ draft }: { draft: Draft }) => {
  const t = useTranslate()
  if (!draft.theirs) return null
  return (
    <div className={styles.notice}>
      <Alert variant="default" role="alert" title={<Status tone="care">{t('workflows.conflict.title')}</Status>}>
        <Text size="sm" mb="sm">
          {t('workflows.conflict.text')}
        </Text>
        <Differences before={draft.definition} after={draft.theirs} />
        <Group gap="sm" mt="sm">
          <Button variant="default" onClick={draft.acceptTheirs}>
            {t('workflows.conflict.take')}
          </Button>
          <Button variant="default" onClick={draft.overwriteTheirs}>
            {t('workflows.conflict.keep')}
          </Button>
        </Group>
      </Alert>
    </div>
  )
}
