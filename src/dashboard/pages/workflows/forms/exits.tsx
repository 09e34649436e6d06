/** Fields shared by the exits of a wait and the exits of a run. */
import { Group, SegmentedControl, TextInput } from '@mantine/core'
import { useTranslate } from '../../../texts/index.tsx'
import { RemoveButton } from '../../../ui/form/RemoveButton.tsx'
import { PairsField } from './fields.tsx'
import styles from './forms.module.css'
import { useField, useFormContext } from './forms.ts'

/** Kind of an exit, with a button to remove it. */
export const ExitKind = <Kind extends string>({
  number,
  kinds,
  value,
  onChange,
  onRemove,
}: {
  number: number
  kinds: { value: Kind; label: string }[]
  value: Kind
  onChange: (kind: Kind) => void
  onRemove: (() => void) | undefined
}) => {
  const t = useTranslate()
  const { readOnly } = useFormContext()
  return (
    <Group justify="space-between" wrap="nowrap">
      <SegmentedControl
        aria-label={t('workflows.form.exitKind', { number })}
        size="xs"
        disabled={readOnly}
        data={kinds}
        value={value}
        onChange={onChange}
      />
      {!readOnly && onRemove && <RemoveButton what={t('workflows.form.exit', { number })} onClick={onRemove} />}
    </Group>
  )
}

interface EventExit {
  event: string
  match?: Record<string, string>
}

/** Event that the exit waits for, with its conditions. */
export const AwaitedEvent = <Exit extends EventExit>({
  exit,
  path,
  onChange,
}: {
  exit: Exit
  path: string
  onChange: (exit: Exit) => void
}) => {
  const t = useTranslate()
  const field = useField()
  return (
    <>
      <TextInput
        label={t('workflows.form.eventType')}
        placeholder="order.paid"
        value={exit.event}
        {...field(`${path}.event`)}
        onChange={event => onChange({ ...exit, event: event.currentTarget.value })}
      />
      <MatchFields
        value={exit.match}
        onChange={match => {
          const { match: _, ...rest } = exit
          onChange((match ? { ...rest, match } : rest) as Exit)
        }}
      />
      <FaultText name={`${path}.match`} />
    </>
  )
}

/** Fields that must match for the event to count. */
const MatchFields = ({
  value,
  onChange,
}: {
  value: Record<string, string> | undefined
  onChange: (value: Record<string, string> | undefined) => void
}) => {
  const t = useTranslate()
  return (
    <PairsField
      title={t('workflows.form.match')}
      hint={t('workflows.form.matchHint')}
      names={[t('workflows.form.matchLeft'), t('workflows.form.matchRight')]}
      value={value ?? {}}
      max={10}
      onChange={onChange}
    />
  )
}

/** Error text for a place without its own field. */
export const FaultText = ({ name }: { name: string }) => {
  const { getFault } = useFormContext()
  const text = getFault(name)
  return text ? (
    <p className={styles.fault} data-tone="failed">
      {text}
    </p>
  ) : null
}
