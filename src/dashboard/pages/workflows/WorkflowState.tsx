import { useTranslate } from '../../texts/index.tsx'
import { Status } from '../../ui/Status.tsx'
import type { Workflow } from './definition/types.ts'

/** State of a workflow: on, off, not published, or archived. */
export const WorkflowState = ({ workflow }: { workflow: Workflow }) => {
  const t = useTranslate()
  if (workflow.archivedAt !== null) return <Status tone="off">{t('workflows.state.archived')}</Status>
  if (workflow.publishedVersion === null)
    return (
      <Status tone={workflow.enabled ? 'care' : 'off'}>
        {t(workflow.enabled ? 'workflows.state.onUnpublished' : 'workflows.state.unpublished')}
      </Status>
    )
  return workflow.enabled ? (
    <Status tone="done">{t('workflows.state.on')}</Status>
  ) : (
    <Status tone="off">{t('workflows.state.off')}</Status>
  )
}
