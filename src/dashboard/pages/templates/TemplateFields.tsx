import { ActionIcon, Checkbox, Group, Input, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useTranslate } from '../../texts/index.tsx'
import {
  countCharacters,
  isUnclosed,
  listInvalidPlaceholders,
  listVariables,
  maxCharacters,
  type Variable,
} from './body.ts'
import type { Form, TemplateForm } from './form.ts'
import styles from './templates.module.css'

const categories = ['utility', 'marketing'] as const

/** Form fields of a template. Its variables are the placeholders in its text. */
export const TemplateFields = ({
  form: { value: values, change },
  readOnly,
  faults,
}: {
  form: Form
  readOnly: boolean
  /** Validation errors by field path of the API. */
  faults: Record<string, string>
}) => {
  const t = useTranslate()
  const invalidPlaceholder = listInvalidPlaceholders(values.body)[0]
  const hasUnclosed = isUnclosed(values.body)
    ? t('templates.unclosed')
    : invalidPlaceholder !== undefined
      ? t('templates.invalidVariable', { name: invalidPlaceholder })
      : faults.body
  return (
    <>
      <TextInput
        label={t('templates.name')}
        description={t('templates.nameHint')}
        required
        withAsterisk={false}
        readOnly={readOnly}
        maxLength={100}
        error={faults.name}
        value={values.name}
        onChange={event => change({ name: event.currentTarget.value })}
      />
      <Input.Wrapper
        label={t('templates.category')}
        labelElement="div"
        description={t(`templates.categoryHint.${values.category}`)}
        inputWrapperOrder={['label', 'input', 'description']}
      >
        <div>
          <SegmentedControl
            size="xs"
            mb={4}
            aria-label={t('templates.category')}
            readOnly={readOnly}
            data={categories.map(value => ({ value, label: t(`templates.category.${value}`) }))}
            value={values.category}
            onChange={value => change({ category: value as TemplateForm['category'] })}
          />
        </div>
      </Input.Wrapper>
      <Textarea
        label={t('templates.body')}
        description={t('templates.bodyHint')}
        required
        withAsterisk={false}
        readOnly={readOnly}
        autosize
        minRows={5}
        maxRows={20}
        dir="auto"
        error={hasUnclosed}
        value={values.body}
        onChange={event => change({ body: event.currentTarget.value })}
      />
      <Text size="xs" c="dimmed" ta="right" mt={-12} className="tabular">
        {t('templates.count', { count: countCharacters(values.body), most: maxCharacters })}
      </Text>
      <Variables values={values} change={change} readOnly={readOnly} faults={faults} />
      <Checkbox
        label={t('templates.approved')}
        description={t('templates.approvedHint')}
        disabled={readOnly}
        checked={values.approved}
        onChange={event => change({ approved: event.currentTarget.checked })}
      />
      {values.approved && (
        <Group gap="sm" align="flex-start" grow>
          <TextInput
            label={t('templates.providerName')}
            description={t('templates.providerNameHint')}
            required
            withAsterisk={false}
            readOnly={readOnly}
            error={faults['provider.name']}
            value={values.providerName}
            onChange={event => change({ providerName: event.currentTarget.value })}
          />
          <TextInput
            label={t('templates.language')}
            description={t('templates.languageHint')}
            required
            withAsterisk={false}
            readOnly={readOnly}
            error={faults['provider.language']}
            value={values.language}
            onChange={event => change({ language: event.currentTarget.value })}
          />
        </Group>
      )}
    </>
  )
}

const Variables = ({
  values,
  change,
  readOnly,
  faults,
}: {
  values: TemplateForm
  change: Form['change']
  readOnly: boolean
  faults: Record<string, string>
}) => {
  const t = useTranslate()
  const variables = listVariables(values.body, values.samples)
  // Variables that the body no longer names are kept at the end, in case they are added again.
  const setVariables = (variablesToSave: Variable[]) =>
    change({
      samples: [
        ...variablesToSave,
        ...values.samples.filter(one => !variablesToSave.some(({ name }) => name === one.name)),
      ],
    })
  const moveUp = (index: number) => {
    const reordered = [...variables]
    reordered.splice(index - 1, 0, ...reordered.splice(index, 1))
    setVariables(reordered)
  }
  return (
    <Stack gap="sm" role="group" aria-label={t('templates.variables')}>
      <div>
        <Text size="sm" fw={500}>
          {t('templates.variables')}
        </Text>
        <Text size="xs" c="dimmed">
          {t(variables.length === 0 ? 'templates.variablesNone' : 'templates.sampleHint')}{' '}
          {values.approved && variables.length > 1 && t('templates.order')}
        </Text>
      </div>
      {variables.map(({ name, sample }, index) => (
        <Group key={name} gap="sm" wrap="nowrap" align="center">
          <Text size="sm" component="code" className={styles.variable!}>
            {name}
          </Text>
          <TextInput
            flex={1}
            aria-label={t('templates.sample', { name })}
            required
            readOnly={readOnly}
            maxLength={200}
            error={faults[`variables.${index}.sample`]}
            value={sample}
            onChange={event =>
              setVariables(
                variables.map((one, at) => (at === index ? { name, sample: event.currentTarget.value } : one)),
              )
            }
          />
          {!readOnly && values.approved && (
            <ActionIcon
              variant="default"
              aria-label={t('templates.moveUp', { name })}
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
