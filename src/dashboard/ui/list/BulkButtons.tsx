import { Button, Text, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'

/** An action on the selected rows. */
interface SelectionAction {
  key: string
  label: string
  icon?: ReactNode
  /** Says which rows to select, if the action applies to none of the selected ones. Null if it applies. */
  reason: string | null
  run: () => void
}

/**
 * Buttons of the actions on the selected rows. A button without an effect is disabled, and explains why on hover, focus
 * and touch. If no action applies, the reasons are shown next to the buttons.
 */
export const BulkButtons = ({ actions }: { actions: readonly SelectionAction[] }) => {
  const reasons = [...new Set(actions.map(({ reason }) => reason))]
  return (
    <>
      {actions.map(({ key, label, icon, reason, run }) => (
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
            onClick={() => reason === null && run()}
          >
            {label}
          </Button>
        </Tooltip>
      ))}
      {!reasons.includes(null) && (
        <Text size="sm" c="dimmed">
          {reasons.join(' ')}
        </Text>
      )}
    </>
  )
}
