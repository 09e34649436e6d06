import { Button, Text, Tooltip } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { BulkDialog, type BulkOperation } from './BulkDialog.tsx'

/** Button of an action on the selected rows. */
interface BulkButton {
  key: string
  label: string
  icon?: ReactNode
  /** Says which rows to select, if the action applies to none of the selected ones. Null if it applies. */
  reason?: string | null
}

/** An action on the selected rows, which are those of the moment when its dialog opens. */
export type BulkAction = BulkButton &
  (
    | BulkOperation
    | {
        /** Renders a dialog with fields or further steps. */
        dialog: (onClose: (hasRun: boolean) => void) => ReactNode
      }
  )

/**
 * Returns the buttons of actions on selected rows, and the dialog of the clicked one. The dialog must be outside the bar
 * of the selection, because its rows can leave the list while the action runs.
 */
export const useBulkActions = (onDone: () => void) => {
  const [action, setAction] = useState<BulkAction | null>(null)
  const close = (hasRun: boolean) => {
    setAction(null)
    if (hasRun) onDone()
  }
  return {
    buttons: (actions: readonly BulkAction[]) => <BulkButtons actions={actions} open={setAction} />,
    dialog: action && ('dialog' in action ? action.dialog(close) : <BulkDialog operation={action} onClose={close} />),
  }
}

/**
 * Buttons of the actions on the selected rows. A button without an effect is disabled, and explains why on hover, focus
 * and touch. If no action applies, the reasons are shown next to the buttons.
 */
const BulkButtons = ({ actions, open }: { actions: readonly BulkAction[]; open: (action: BulkAction) => void }) => {
  const reasons = [...new Set(actions.map(({ reason = null }) => reason))]
  return (
    <>
      {actions.map(action => {
        const { key, label, icon, reason = null } = action
        return (
          <Tooltip
            key={key}
            label={reason}
            disabled={reason === null}
            multiline
            maw={280}
            events={{ hover: true, focus: true, touch: true }}
          >
            <Button
              variant="default"
              leftSection={icon}
              // A disabled button cannot have the focus, which shows the reason by keyboard.
              data-disabled={reason !== null || undefined}
              aria-disabled={reason !== null || undefined}
              onClick={() => reason === null && open(action)}
            >
              {label}
            </Button>
          </Tooltip>
        )
      })}
      {!reasons.includes(null) && (
        <Text size="sm" c="dimmed">
          {reasons.join(' ')}
        </Text>
      )}
    </>
  )
}
