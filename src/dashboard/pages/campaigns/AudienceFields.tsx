import {
  ActionIcon,
  Button,
  Group,
  NativeSelect,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useTexts } from '../../texts/index.tsx'
import styles from './campaigns.module.css'
import { type Comparing, type Field, fields, type Match, newComparing, type Op, ops } from './condition.ts'
import type { Form, Typed, Who } from './form.ts'

const whos = ['all', 'where', 'customerIds'] as const

/** Everybody, those of whom a few comparisons hold, or some by their ids. */
export const AudienceFields = ({ form: { value: typed, change }, readOnly }: { form: Form; readOnly: boolean }) => {
  const say = useTexts()
  const choose = (who: Who) =>
    change({
      who,
      ...(who === 'where' &&
        typed.json === null &&
        typed.comparisons.length === 0 && { comparisons: [{ ...newComparing }] }),
    })
  return (
    <Stack gap="sm" role="group" aria-label={say('campaigns.who')}>
      <Text size="sm" fw={500}>
        {say('campaigns.who')}
      </Text>
      <SegmentedControl
        size="xs"
        aria-label={say('campaigns.who')}
        readOnly={readOnly}
        data={whos.map(value => ({ value, label: say(`campaigns.who.${value}`) }))}
        value={typed.who}
        onChange={value => choose(value as Who)}
      />
      {typed.who === 'customerIds' && (
        <Textarea
          label={say('campaigns.ids')}
          description={say('campaigns.idsHint')}
          autosize
          minRows={3}
          maxRows={10}
          required
          withAsterisk={false}
          readOnly={readOnly}
          classNames={{ input: styles.mono! }}
          value={typed.ids}
          onChange={event => change({ ids: event.currentTarget.value })}
        />
      )}
      {typed.who === 'where' && typed.json !== null && (
        <Textarea
          label={say('campaigns.json')}
          description={say('campaigns.nested')}
          autosize
          minRows={6}
          maxRows={20}
          readOnly={readOnly}
          classNames={{ input: styles.mono! }}
          error={isJson(typed.json) ? undefined : say('campaigns.jsonWrong')}
          value={typed.json}
          onChange={event => change({ json: event.currentTarget.value })}
        />
      )}
      {typed.who === 'where' && typed.json === null && (
        <Comparisons typed={typed} change={change} readOnly={readOnly} />
      )}
    </Stack>
  )
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const Comparisons = ({ typed, change, readOnly }: { typed: Typed; change: Form['change']; readOnly: boolean }) => {
  const say = useTexts()
  const { comparisons, match } = typed
  return (
    <Stack gap="sm">
      {comparisons.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label={say('campaigns.match')}
          disabled={readOnly}
          data={(['all', 'any'] as const).map(value => ({ value, label: say(`campaigns.match.${value}`) }))}
          value={match}
          onChange={event => change({ match: event.currentTarget.value as Match })}
        />
      )}
      {comparisons.map((comparison, index) => (
        <ComparisonFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a comparison is its place.
          key={index}
          number={index + 1}
          value={comparison}
          readOnly={readOnly}
          onChange={next => change({ comparisons: comparisons.map((one, at) => (at === index ? next : one)) })}
          onRemove={
            comparisons.length > 1
              ? () => change({ comparisons: comparisons.filter((_, at) => at !== index) })
              : undefined
          }
        />
      ))}
      {!readOnly && comparisons.length < 50 && (
        <Group>
          <Button variant="default" onClick={() => change({ comparisons: [...comparisons, { ...newComparing }] })}>
            {say('campaigns.addCondition')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

const ComparisonFields = ({
  number,
  value,
  readOnly,
  onChange,
  onRemove,
}: {
  number: number
  value: Comparing
  readOnly: boolean
  onChange: (value: Comparing) => void
  onRemove: (() => void) | undefined
}) => {
  const say = useTexts()
  return (
    <fieldset className={styles.comparison} disabled={readOnly}>
      <legend>{say('campaigns.condition', { number })}</legend>
      <NativeSelect
        size="xs"
        aria-label={say('campaigns.path')}
        data={fields.map(field => ({ value: field, label: say(`campaigns.path.${field}`) }))}
        value={value.field}
        onChange={event => onChange({ ...value, field: event.currentTarget.value as Field })}
      />
      {value.field === 'attribute' && (
        <TextInput
          size="xs"
          aria-label={say('campaigns.attribute')}
          placeholder={say('campaigns.attribute')}
          required
          maxLength={100}
          value={value.attribute}
          onChange={event => onChange({ ...value, attribute: event.currentTarget.value })}
        />
      )}
      <NativeSelect
        size="xs"
        aria-label={say('campaigns.op')}
        data={ops.map(op => ({ value: op, label: say(`campaigns.op.${op}`) }))}
        value={value.op}
        onChange={event => onChange({ ...value, op: event.currentTarget.value as Op })}
      />
      {value.op !== 'exists' && value.op !== 'missing' && (
        <TextInput
          size="xs"
          aria-label={say('campaigns.wanted')}
          placeholder={say(value.op === 'in' ? 'campaigns.wantedIn' : 'campaigns.wanted')}
          required
          value={value.value}
          onChange={event => onChange({ ...value, value: event.currentTarget.value })}
        />
      )}
      {onRemove && !readOnly && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={say('campaigns.removeCondition', { number })}
          onClick={onRemove}
        >
          ×
        </ActionIcon>
      )}
    </fieldset>
  )
}
