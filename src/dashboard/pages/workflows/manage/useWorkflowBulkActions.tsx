import { api } from '../../../api/client.ts'
import { type TextId, useTranslate } from '../../../texts/index.tsx'
import type { BulkAction } from '../../../ui/list/BulkActions.tsx'
import type { Workflow } from '../definition/types.ts'
import { useUpdateCache } from '../queries.ts'
import { TurnOffDialog } from './TurnOffDialog.tsx'

/** Actions that need no choice, with the change that each makes. */
const changes = { on: { enabled: true }, restore: { archived: false } } as const
type Change = keyof typeof changes

/** Returns the text that says why a workflow cannot be turned on. Null if it can. */
const skipText = ({ enabled, publishedVersion }: Workflow): TextId | null => {
  if (enabled) return 'workflows.on.isOn'
  return publishedVersion === null ? 'workflows.on.isDraft' : null
}

/** Returns the actions on the selected workflows. Archived workflows can only be restored. */
export const useWorkflowBulkActions = (archived: boolean) => {
  const t = useTranslate()
  const updateCache = useUpdateCache()
  const change = (action: Change, workflows: Workflow[]): BulkAction => ({
    key: action,
    label: t(`workflows.${action}.selected`),
    reason:
      action === 'restore' || workflows.some(workflow => skipText(workflow) === null) ? null : t('workflows.on.none'),
    title: t(`workflows.${action}.title`),
    text: t(`workflows.${action}.text`),
    confirm: count => t(`workflows.${action}.do`, { count }),
    items: workflows.map(workflow => {
      const skip = action === 'on' ? skipText(workflow) : null
      return { id: workflow.id, label: workflow.name, skip: skip ? t(skip) : undefined }
    }),
    send: async id => {
      const { data } = await api.PATCH('/v1/workflows/{id}', { params: { path: { id } }, body: changes[action] })
      if (data) updateCache(data)
    },
  })
  const turnOff = (action: 'off' | 'archive', workflows: Workflow[]): BulkAction => ({
    key: action,
    label: t(`workflows.${action}.selected`),
    reason: action === 'archive' || workflows.some(({ enabled }) => enabled) ? null : t('workflows.off.none'),
    dialog: onClose => (
      <TurnOffDialog
        workflows={workflows}
        action={action}
        onClose={() => onClose(false)}
        onDone={() => onClose(true)}
      />
    ),
  })
  return (workflows: Workflow[]): BulkAction[] =>
    archived
      ? [change('restore', workflows)]
      : [change('on', workflows), turnOff('off', workflows), turnOff('archive', workflows)]
}
