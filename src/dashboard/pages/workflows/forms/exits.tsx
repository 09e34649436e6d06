/** Fields shared by the exits of a wait and the exits of a run. */
import { Group, SegmentedControl, TextInput } from '@mantine/core'
import { useTexts } from '../../../texts/index.tsx'
import { Remove } from '../../../ui/Remove.tsx'
import { PairsField } from './fields.tsx'
import styles from './forms.module.css'
import { useForms } from './forms.ts'

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
  const say = useTexts()
  const { readOnly } = useForms()
  return (
    <Group justify="space-between" wrap="nowrap">
      <SegmentedControl
        aria-label={say('workflows.form.exitKind', { number })}
        size="xs"
        disabled={readOnly}
        data={kinds}
        value={value}
        onChange={onChange}
      />
      {!readOnly && onRemove && <Remove what={say('workflows.form.exit', { number })} onClick={onRemove} />}
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
  place,
  onChange,
}: {
  exit: Exit
  place: string
  onChange: (exit: Exit) => void
}) => {
  const say = useTexts()
  const { readOnly, fault } = useForms()
  return (
    <>
      <TextInput
        label={say('workflows.form.eventType')}
        placeholder="order.paid"
        value={exit.event}
        error={fault(`${place}.event`)}
        readOnly={readOnly}
        onChange={event => onChange({ ...exit, event: event.currentTarget.value })}
      />
      <Match
        value={exit.match}
        onChange={match => {
          const { match: _, ...rest } = exit
          onChange((match ? { ...rest, match } : rest) as Exit)
        }}
      />
      <Problem of={fault(`${place}.match`)} />
    </>
  )
}

/** Fields that must match for the event to count. */
const Match = ({
  value,
  onChange,
}: {
  value: Record<string, string> | undefined
  onChange: (value: Record<string, string> | undefined) => void
}) => {
  const say = useTexts()
  return (
    <PairsField
      title={say('workflows.form.match')}
      hint={say('workflows.form.matchHint')}
      names={[say('workflows.form.matchLeft'), say('workflows.form.matchRight')]}
      value={value ?? {}}
      max={10}
      onChange={onChange}
    />
  )
}

/** Error text for a part without its own field. */
export const Problem = ({ of }: { of: string | undefined }) =>
  of ? (
    <p className={styles.fault} data-tone="failed">
      {of}
    </p>
  ) : null
