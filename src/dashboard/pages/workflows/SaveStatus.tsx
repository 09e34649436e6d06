import { Anchor } from '@mantine/core'
import { Failure as ApiFailure } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { CheckIcon } from '../../ui/icons.ts'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import type { DrawnWorkflow, Fault } from './definition/types.ts'
import type { Autosave } from './useAutosave.ts'
import type { Draft } from './useDraft.ts'
import styles from './workflows.module.css'

/** Whether the draft is saved, and whether it is published. */
export const SaveStatus = ({
  workflow,
  draft,
  isPublished,
  faults,
  autosave,
  readOnly,
}: {
  workflow: DrawnWorkflow
  draft: Draft
  isPublished: boolean | undefined
  faults: Fault[]
  autosave: Autosave
  readOnly: boolean
}) => (
  <div className={styles.status}>
    {!readOnly && <SaveState draft={draft} autosave={autosave} />}
    <PublishState workflow={workflow} isPublished={isPublished} faults={faults} />
  </div>
)

const SaveState = ({ draft, autosave: { state, save } }: { draft: Draft; autosave: Autosave }) => {
  const t = useTranslate()
  const isFailed = state.kind === 'failed' && draft.isChanged
  const isDeleted = isFailed && state.error instanceof ApiFailure && state.error.status === 404
  const text =
    state.kind === 'saving'
      ? t('workflows.save.saving')
      : isFailed
        ? ''
        : draft.isChanged
          ? t('workflows.save.unsaved')
          : state.kind === 'saved' && state.at
            ? t('workflows.save.saved')
            : ''
  return (
    <>
      <span role="status" className={styles.saveState}>
        {text === t('workflows.save.saved') && <CheckIcon width={14} aria-hidden="true" />}
        {text}
        {isFailed && (
          <Status tone="failed">
            {isDeleted ? t('workflows.save.deleted') : t('workflows.save.failed', { reason: reasonOf(state.error) })}
          </Status>
        )}
      </span>
      {state.kind === 'saved' && state.at && !draft.isChanged && (
        <span>
          <Time at={state.at} />
        </span>
      )}
      {isFailed && !isDeleted && (
        <Anchor component="button" type="button" size="sm" onClick={() => void save()}>
          {t('workflows.save.retry')}
        </Anchor>
      )}
    </>
  )
}

/** First detail of the error, which names the place, or its message. */
const reasonOf = (error: unknown): string =>
  error instanceof ApiFailure ? (Object.values(error.details)[0] ?? error.message) : String(error)

const PublishState = ({
  workflow,
  isPublished,
  faults,
}: {
  workflow: DrawnWorkflow
  isPublished: boolean | undefined
  faults: Fault[]
}) => {
  const t = useTranslate()
  if (faults.length > 0 && isPublished !== true)
    return (
      <span className={styles.publishState}>{t('workflows.draftStatus.incomplete', { count: faults.length })}</span>
    )
  if (workflow.publishedVersion === null)
    return <span className={styles.publishState}>{t('workflows.draftStatus.never')}</span>
  // Nothing is shown until it is known.
  if (isPublished === undefined) return null
  return (
    <span className={styles.publishState}>
      {t(isPublished ? 'workflows.draftStatus.published' : 'workflows.draftStatus.differs', {
        version: workflow.publishedVersion,
      })}
    </span>
  )
}
