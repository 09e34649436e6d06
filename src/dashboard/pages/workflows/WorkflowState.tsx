import { useTranslate } from '../../texts/index.tsx'
import { Status } from '../../ui/Status.tsx'
import type { Workflow } from './definition/types.ts'

/** Returns the state of a workflow: on, off, not published, or archived. */
export const workflowState = ({ archivedAt, publishedVersion, enabled }: Workflow) => {
  if (archivedAt !== null) return 'archived'
  if (publishedVersion === null) return enabled ? 'onUnpublished' : 'unpublished'
  return enabled ? 'on' : 'off'
}

const stateTones = { archived: 'off', onUnpublished: 'care', unpublished: 'off', on: 'done', off: 'off' } as const

export const WorkflowState = ({ workflow }: { workflow: Workflow }) => {
  const t = useTranslate()
  const state = workflowState(workflow)
  return <Status tone={stateTones[state]}>{t(`workflows.state.${state}`)}</Status>
}
