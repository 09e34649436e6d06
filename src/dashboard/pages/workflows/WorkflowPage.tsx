import { Alert, Button, Group, Skeleton, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { Failure as ApiFailure, api } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { isEqual, toDrawnWorkflow } from './definition/edit.ts'
import { type DrawnWorkflow, type Fault, getStepId, toFaults } from './definition/types.ts'
import { FaultList } from './FaultList.tsx'
import { type ApiFaults, useFaults } from './faults.ts'
import { Publish } from './Publish.tsx'
import { usePublished, useUpdateCache, useWorkflow } from './queries.ts'
import { RemoveWorkflow } from './RemoveWorkflow.tsx'
import { RenameWorkflow } from './RenameWorkflow.tsx'
import { SwitchOnOff } from './SwitchOnOff.tsx'
import { parseSearch, type View, views } from './search.ts'
import { type Draft, useDraft } from './useDraft.ts'
import { useValidation } from './useValidation.ts'
import { Differences } from './versions/Differences.tsx'
import type { ViewProps } from './view-props.ts'
import { WorkflowState } from './Workflows.tsx'
import styles from './workflows.module.css'

/** Workflow page: the editor, the JSON text, dry run, replay, publishing and runs. */
export const WorkflowPage = () => {
  const t = useTranslate()
  const { id } = useParams({ strict: false }) as { id: string }
  const query = useWorkflow(id)
  if (query.data) return <LoadedWorkflow key={id} workflow={query.data} />
  return (
    <Page title={t('workflows.workflow')}>
      <Body>
        {query.error ? (
          <Failure error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Skeleton height={320} aria-busy="true" />
        )}
      </Body>
    </Page>
  )
}

const LoadedWorkflow = ({ workflow }: { workflow: DrawnWorkflow }) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const navigate = useNavigate()
  const updateCache = useUpdateCache()
  const { id } = workflow
  const search = parseSearch(useSearch({ strict: false }))
  const view = search.view ?? views[0]
  const draft = useDraft(workflow)
  const [apiFaults, setApiFaults] = useState<ApiFaults | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const [isPublishing, setIsPublishing] = useState(false)
  const validation = useValidation(isOwner ? draft.definition : null)
  const faults = useFaults(draft.definition, apiFaults, validation)
  const published = usePublished(workflow)
  const isPublished = !draft.isChanged && published.data && isEqual(published.data.definition, workflow.draft)

  /** Stores the errors of a rejected definition and shows them in place. Returns false if the error names no place. */
  const showApiFaults = (error: unknown): boolean => {
    const newFaults = error instanceof ApiFailure ? toFaults(error.details) : []
    if (newFaults.length === 0) return false
    setApiFaults({ definition: draft.definition, faults: newFaults })
    return true
  }
  /** Returns the workflow as saved, or null if it was not saved. */
  const save = async (): Promise<DrawnWorkflow | null> => {
    setBusy(true)
    setFailure(null)
    try {
      const path = { params: { path: { id } } }
      // Reads the workflow first, so that a change by another person is not overwritten unseen.
      const current = (await api.GET('/v1/workflows/{id}', path)).data
      if (current) updateCache(current)
      if (current && !isEqual(current.draft, workflow.draft) && !isEqual(current.draft, draft.definition)) return null
      const { data } = await api.PATCH('/v1/workflows/{id}', { ...path, body: { definition: draft.definition } })
      if (!data) return null
      const saved = toDrawnWorkflow(data)
      updateCache(data)
      draft.markSaved(saved.draft)
      setApiFaults(null)
      return saved
    } catch (error) {
      showApiFaults(error)
      setFailure(error)
      return null
    } finally {
      setBusy(false)
    }
  }
  /** Says that the draft cannot be published and opens the step of the first error. */
  const showPublishFaults = (newFaults: Fault[]) => {
    const [first] = newFaults
    if (!first) return
    setIsPublishing(false)
    setApiFaults({ definition: draft.definition, faults: newFaults })
    notifications.show({ message: t('workflows.publish.incomplete', { reason: first.reason }) })
    edit(first)
  }
  const publish = async () => {
    const saved = draft.isChanged ? await save() : workflow
    if (!saved) return
    const errors = saved.draftErrors.map(({ path, message }) => [path, message])
    if (errors.length > 0) showPublishFaults(toFaults(Object.fromEntries(errors)))
    else setIsPublishing(true)
  }
  useHotkeys(
    [
      ['mod+Z', () => draft.undo?.()],
      ['mod+shift+Z', () => draft.redo?.()],
    ],
    ['INPUT', 'TEXTAREA', 'SELECT'],
  )
  useHotkeys([['mod+S', () => void (isOwner && draft.isChanged && save())]], [])

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
      search: fault ? { step: getStepId(fault.path) } : {},
    })
  const ActiveView = viewComponents[view]
  return (
    <>
      <Page
        title={workflow.name}
        readOnly={!isOwner}
        actions={
          <>
            {isOwner && <RenameWorkflow workflow={workflow} onChanged={updateCache} />}
            {isOwner && !workflow.enabled && <RemoveWorkflow workflow={workflow} />}
            {isOwner ? (
              <SwitchOnOff workflow={workflow} onChanged={updateCache} />
            ) : (
              <WorkflowState workflow={workflow} />
            )}
            {isOwner && (
              <>
                <Button.Group className={styles.undo!} data-any={Boolean(draft.undo || draft.redo) || undefined}>
                  <Button variant="default" disabled={!draft.undo} onClick={() => draft.undo?.()}>
                    {t('workflows.undo')}
                  </Button>
                  <Button variant="default" disabled={!draft.redo} onClick={() => draft.redo?.()}>
                    {t('workflows.redo')}
                  </Button>
                </Button.Group>
                <Button
                  variant="default"
                  loading={busy}
                  disabled={!draft.isChanged || draft.theirs !== null}
                  onClick={() => void save()}
                >
                  {t('workflows.save')}
                </Button>
                <Button disabled={busy || draft.theirs !== null || isPublished === true} onClick={() => void publish()}>
                  {t('workflows.publish')}
                </Button>
              </>
            )}
          </>
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
          <span className={styles.status} role="status">
            <PublishStatus workflow={workflow} draft={draft} isPublished={isPublished} faults={faults} />
          </span>
        </div>
        {failure !== null && (
          <div className={styles.notice}>
            <Failure error={failure} retry={() => void save()} />
          </div>
        )}
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
              faults={faults}
              readOnly={!isOwner}
              step={search.step}
              event={search.event}
              open={open}
              edit={edit}
              save={save}
              showApiFaults={showApiFaults}
            />
          </div>
        </Suspense>
        {view === 'editor' && <FaultList faults={faults} open={edit} />}
      </Page>
      {isPublishing && (
        <Publish
          workflow={workflow}
          onClose={() => setIsPublishing(false)}
          onRejected={error => {
            const newFaults = error instanceof ApiFailure ? toFaults(error.details) : []
            showPublishFaults(newFaults)
            return newFaults.length > 0
          }}
          onPublished={current => {
            setIsPublishing(false)
            updateCache(current)
            notifications.show({
              message: t(current.enabled ? 'workflows.publish.done' : 'workflows.publish.doneOff', {
                version: current.publishedVersion,
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
const viewComponents: Record<View, ComponentType<ViewProps>> = {
  editor: lazy(() => import('./Editor.tsx').then(({ Editor }) => ({ default: Editor }))),
  json: lazy(() => import('./JsonView.tsx').then(({ JsonView }) => ({ default: JsonView }))),
  try: lazy(() => import('./trials/TryView.tsx').then(({ TryView }) => ({ default: TryView }))),
  replay: lazy(() => import('./trials/ReplayView.tsx').then(({ ReplayView }) => ({ default: ReplayView }))),
  runs: lazy(() => import('./RunsView.tsx').then(({ RunsView }) => ({ default: RunsView }))),
  history: lazy(() => import('./versions/HistoryView.tsx').then(({ HistoryView }) => ({ default: HistoryView }))),
}

/** State of the draft: saved or not, and whether it is the published version. */
const PublishStatus = ({
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
  const t = useTranslate()
  if (draft.isChanged) return t('workflows.draftStatus.unsaved')
  if (faults.length > 0 && isPublished !== true) return t('workflows.draftStatus.incomplete', { count: faults.length })
  if (workflow.publishedVersion === null) return t('workflows.draftStatus.never')
  // Nothing is shown until it is known.
  if (isPublished === undefined) return null
  return isPublished
    ? t('workflows.draftStatus.published', { version: workflow.publishedVersion })
    : t('workflows.draftStatus.differs', { version: workflow.publishedVersion })
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
