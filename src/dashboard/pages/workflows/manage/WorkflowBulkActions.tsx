import { useRef, useState } from 'react'
import { api } from '../../../api/client.ts'
import { type TextId, useTranslate } from '../../../texts/index.tsx'
import { BulkButtons } from '../../../ui/list/BulkButtons.tsx'
import { BulkDialog } from '../../../ui/list/BulkDialog.tsx'
import type { Workflow } from '../definition/types.ts'
import { useUpdateCache } from '../queries.ts'
import { TurnOffDialog } from './TurnOffDialog.tsx'

/** Actions that need no choice, with the change that each makes. */
const changes = { on: { enabled: true }, restore: { archived: false } } as const
type Change = keyof typeof changes

type Dialog = { action: Change | 'off' | 'archive'; workflows: Workflow[] }

/** Returns the text that says why a workflow cannot be turned on. Null if it can. */
const skipText = ({ enabled, publishedVersion }: Workflow): TextId | null => {
  if (enabled) return 'workflows.on.isOn'
  return publishedVersion === null ? 'workflows.on.isDraft' : null
}

/** Actions that do not apply to every workflow. */
const applies = {
  on: (workflow: Workflow) => skipText(workflow) === null,
  off: ({ enabled }: Workflow) => enabled,
}

/** Actions on the selected workflows, with a preview each. */
export const WorkflowBulkActions = ({
  workflows,
  archived,
  onDone,
}: {
  workflows: Workflow[]
  /** The workflows are archived, and can be restored. */
  archived: boolean
  onDone: () => void
}) => {
  const t = useTranslate()
  // The rows change while the action runs, so the dialog keeps those of its start.
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      <BulkButtons
        actions={(archived ? (['restore'] as const) : (['on', 'off', 'archive'] as const)).map(action => ({
          key: action,
          label: t(`workflows.${action}.selected`),
          reason:
            (action === 'on' || action === 'off') && !workflows.some(applies[action])
              ? t(`workflows.${action}.none`)
              : null,
          run: () => setDialog({ action, workflows }),
        }))}
      />
      {dialog &&
        (dialog.action === 'on' || dialog.action === 'restore' ? (
          <ChangeDialog action={dialog.action} workflows={dialog.workflows} onClose={close} onDone={onDone} />
        ) : (
          <TurnOffDialog workflows={dialog.workflows} action={dialog.action} onClose={close} onDone={onDone} />
        ))}
    </>
  )
}

const ChangeDialog = ({
  action,
  workflows,
  onClose,
  onDone,
}: {
  action: Change
  workflows: Workflow[]
  onClose: () => void
  onDone: () => void
}) => {
  const t = useTranslate()
  const updateCache = useUpdateCache()
  // Stored at the end: a restored row leaves the list, and the dialog with the selection.
  const changed = useRef<Workflow[]>([])
  return (
    <BulkDialog
      title={t(`workflows.${action}.title`)}
      text={t(`workflows.${action}.text`)}
      action={count => t(`workflows.${action}.do`, { count })}
      items={workflows.map(workflow => {
        const skip = action === 'on' ? skipText(workflow) : null
        return { id: workflow.id, label: workflow.name, ...(skip && { skip: t(skip) }) }
      })}
      run={async id => {
        const { data } = await api.PATCH('/v1/workflows/{id}', { params: { path: { id } }, body: changes[action] })
        if (data) changed.current.push(data)
      }}
      onClose={hasRun => {
        onClose()
        if (!hasRun) return
        changed.current.forEach(updateCache)
        onDone()
      }}
    />
  )
}
