import { ActionIcon, Checkbox, Group, Input, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useTexts } from '../../texts/index.tsx'
import { badPlaces, charactersOf, isUnclosed, maxCharacters, type Variable, variablesOf } from './body.ts'
import type { Form, Typed } from './form.ts'
import styles from './templates.module.css'

const categories = ['utility', 'marketing'] as const

/** Form fields of a template. Its variables are the placeholders in its text. */
export const TemplateFields = ({
  form: { value: typed, change },
  readOnly,
  faults,
}: {
  form: Form
  readOnly: boolean
  /** Validation errors by field path of the API. */
  faults: Record<string, string>
}) => {
  const say = useTexts()
  const bad = badPlaces(typed.body)[0]
  const wrong = isUnclosed(typed.body)
    ? say('templates.unclosed')
    : bad !== undefined
      ? say('templates.badPlace', { name: bad })
      : faults.body
  return (
    <>
      <TextInput
        label={say('templates.name')}
        description={say('templates.nameHint')}
        required
        withAsterisk={false}
        readOnly={readOnly}
        maxLength={100}
        error={faults.name}
        value={typed.name}
        onChange={event => change({ name: event.currentTarget.value })}
      />
      <Input.Wrapper
        label={say('templates.category')}
        labelElement="div"
        description={say(`templates.categoryHint.${typed.category}`)}
        inputWrapperOrder={['label', 'input', 'description']}
      >
        <div>
          <SegmentedControl
            size="xs"
            mb={4}
            aria-label={say('templates.category')}
            readOnly={readOnly}
            data={categories.map(value => ({ value, label: say(`templates.category.${value}`) }))}
            value={typed.category}
            onChange={value => change({ category: value as Typed['category'] })}
          />
        </div>
      </Input.Wrapper>
      <Textarea
        label={say('templates.body')}
        description={say('templates.bodyHint')}
        required
        withAsterisk={false}
        readOnly={readOnly}
        autosize
        minRows={5}
        maxRows={20}
        dir="auto"
        error={wrong}
        value={typed.body}
        onChange={event => change({ body: event.currentTarget.value })}
      />
      <Text size="xs" c="dimmed" ta="right" mt={-12} className="tabular">
        {say('templates.count', { count: charactersOf(typed.body), most: maxCharacters })}
      </Text>
      <Variables typed={typed} change={change} readOnly={readOnly} faults={faults} />
      <Checkbox
        label={say('templates.approved')}
        description={say('templates.approvedHint')}
        disabled={readOnly}
        checked={typed.approved}
        onChange={event => change({ approved: event.currentTarget.checked })}
      />
      {typed.approved && (
        <Group gap="sm" align="flex-start" grow>
          <TextInput
            label={say('templates.providerName')}
            description={say('templates.providerNameHint')}
            required
            withAsterisk={false}
            readOnly={readOnly}
            error={faults['provider.name']}
            value={typed.providerName}
            onChange={event => change({ providerName: event.currentTarget.value })}
          />
          <TextInput
            label={say('templates.language')}
            description={say('templates.languageHint')}
            required
            withAsterisk={false}
            readOnly={readOnly}
            error={faults['provider.language']}
            value={typed.language}
            onChange={event => change({ language: event.currentTarget.value })}
          />
        </Group>
      )}
    </>
  )
}

const Variables = ({
  typed,
  change,
  readOnly,
  faults,
}: {
  typed: Typed
  change: Form['change']
  readOnly: boolean
  faults: Record<string, string>
}) => {
  const say = useTexts()
  const variables = variablesOf(typed.body, typed.samples)
  // Variables that the body no longer names are kept at the end, in case they are added again.
  const keep = (named: Variable[]) =>
    change({ samples: [...named, ...typed.samples.filter(one => !named.some(({ name }) => name === one.name))] })
  const moveUp = (index: number) => {
    const moved = [...variables]
    moved.splice(index - 1, 0, ...moved.splice(index, 1))
    keep(moved)
  }
  return (
    <Stack gap="sm" role="group" aria-label={say('templates.variables')}>
      <div>
        <Text size="sm" fw={500}>
          {say('templates.variables')}
        </Text>
        <Text size="xs" c="dimmed">
          {say(variables.length === 0 ? 'templates.variablesNone' : 'templates.sampleHint')}{' '}
          {typed.approved && variables.length > 1 && say('templates.order')}
        </Text>
      </div>
      {variables.map(({ name, sample }, index) => (
        <Group key={name} gap="sm" wrap="nowrap" align="center">
          <Text size="sm" component="code" className={styles.variable!}>
            {name}
          </Text>
          <TextInput
            flex={1}
            aria-label={say('templates.sample', { name })}
            required
            readOnly={readOnly}
            maxLength={200}
            error={faults[`variables.${index}.sample`]}
            value={sample}
            onChange={event =>
              keep(variables.map((one, at) => (at === index ? { name, sample: event.currentTarget.value } : one)))
            }
          />
          {!readOnly && typed.approved && (
            <ActionIcon
              variant="default"
              aria-label={say('templates.moveUp', { name })}
              disabled={index === 0}
              onClick={() => moveUp(index)}
            >
              ↑
            </ActionIcon>
          )}
        </Group>
      ))}
    </Stack>
  )
}
