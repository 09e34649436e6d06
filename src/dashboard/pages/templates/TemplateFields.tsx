import {
  ActionIcon,
  Anchor,
  Checkbox,
  Group,
  Input,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useRef } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { ChevronUpIcon } from '../../ui/page-icons.ts'
import { countCharacters, listVariables, maxCharacters, type Variable } from './body.ts'
import { categories, categoryIcons } from './category.ts'
import { type Form, findBodyError } from './form.ts'
import styles from './templates.module.css'
import { VariableChips } from './VariableChips.tsx'

/** Form fields of a template. Its variables are the placeholders in its text. */
export const TemplateFields = ({ form, readOnly }: { form: Form; readOnly: boolean }) => {
  const t = useTranslate()
  const { values, errors } = form
  const body = useRef<HTMLTextAreaElement>(null)
  return (
    <>
      <TextInput
        label={t('templates.name')}
        description={t('templates.nameHint')}
        readOnly={readOnly}
        maxLength={100}
        {...form.getInputProps('name')}
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
            data={categories.map(value => ({ value, label: <CategoryLabel category={value} /> }))}
            value={values.category}
            onChange={category => form.setFieldValue('category', category)}
          />
        </div>
      </Input.Wrapper>
      <div>
        <Textarea
          label={t('templates.body')}
          description={t('templates.bodyHint')}
          readOnly={readOnly}
          autosize
          minRows={5}
          maxRows={20}
          dir="auto"
          {...form.getInputProps('body')}
          ref={body}
          error={findBodyError(values.body, t).body ?? errors.body}
        />
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          {readOnly ? (
            <span />
          ) : (
            <VariableChips body={values.body} field={body} onChange={next => form.setFieldValue('body', next)} />
          )}
          <Text size="xs" c="dimmed" mt={6} className={`tabular ${styles.count}`}>
            {t('templates.count', { count: countCharacters(values.body), most: maxCharacters })}
          </Text>
        </Group>
      </div>
      <Variables form={form} readOnly={readOnly} />
      <Checkbox
        label={t('templates.approved')}
        description={
          <>
            {t('templates.approvedHint')}{' '}
            <Anchor inherit underline="always" href="/docs/campaigns" target="_blank">
              {t('templates.approvedDocs')}
            </Anchor>
            {!values.approved && (
              <>
                <br />
                {t('templates.unapprovedHint')}
              </>
            )}
          </>
        }
        disabled={readOnly}
        checked={values.approved}
        onChange={event => form.setFieldValue('approved', event.currentTarget.checked)}
      />
      {values.approved && (
        <Group gap="sm" align="flex-start" grow>
          <TextInput
            label={t('templates.providerName')}
            description={t('templates.providerNameHint')}
            readOnly={readOnly}
            {...form.getInputProps('provider.name')}
          />
          <TextInput
            label={t('templates.language')}
            description={t('templates.languageHint')}
            readOnly={readOnly}
            {...form.getInputProps('provider.language')}
          />
        </Group>
      )}
    </>
  )
}

const CategoryLabel = ({ category }: { category: (typeof categories)[number] }) => {
  const t = useTranslate()
  const Icon = categoryIcons[category]
  return (
    <span className={styles.category}>
      <Icon width={14} aria-hidden="true" />
      {t(`templates.category.${category}`)}
    </span>
  )
}

const Variables = ({ form, readOnly }: { form: Form; readOnly: boolean }) => {
  const t = useTranslate()
  const { values, errors } = form
  const variables = listVariables(values.body, values.variables)
  // Variables that the body no longer names are kept at the end, in case they are added again.
  const setVariables = (variablesToSave: Variable[]) =>
    form.setFieldValue('variables', [
      ...variablesToSave,
      ...values.variables.filter(one => !variablesToSave.some(({ name }) => name === one.name)),
    ])
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
            readOnly={readOnly}
            maxLength={200}
            error={errors[`variables.${index}.sample`]}
            value={sample}
            onChange={event => {
              const sample = event.currentTarget.value
              setVariables(variables.map((one, at) => (at === index ? { name, sample } : one)))
              form.clearFieldError(`variables.${index}.sample`)
            }}
          />
          {!readOnly && values.approved && (
            <ActionIcon
              variant="default"
              aria-label={t('templates.moveUp', { name })}
              disabled={index === 0}
              onClick={() => moveUp(index)}
            >
              <ChevronUpIcon width={14} />
            </ActionIcon>
          )}
        </Group>
      ))}
    </Stack>
  )
}
