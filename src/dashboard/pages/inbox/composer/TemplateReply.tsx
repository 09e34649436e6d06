import { Button, Group, Input, Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { hooks, type Schemas } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { Failure } from '../../../ui/Failure.tsx'
import { DocumentTextIcon } from '../../../ui/icons.ts'
import { VariableFields } from '../../templates/VariableFields.tsx'
import { useTemplates } from '../queries.ts'
import styles from './composer.module.css'
import { findTemplateRestriction, type ReplyContext } from './restrictions.ts'

type Template = Schemas['Template']

/** Template choice, shown when only a template can be sent. */
export const TemplateSelect = ({
  context,
  onChoose,
  field,
}: {
  context: ReplyContext
  onChoose: (template: Template) => void
  field: RefObject<HTMLElement | null>
}) => {
  const t = useTranslate()
  const templates = useTemplates()
  const usableTemplates = templates?.filter(template => findTemplateRestriction(context, template) === null)
  return (
    <Select
      ref={element => {
        field.current = element
      }}
      aria-label={t('inbox.chooseTemplate')}
      placeholder={t(usableTemplates?.length === 0 ? 'inbox.noneApproved' : 'inbox.chooseTemplate')}
      disabled={usableTemplates?.length === 0}
      searchable
      comboboxProps={{ withinPortal: false, position: 'top-start' }}
      data={usableTemplates?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
      value={null}
      onChange={id => {
        const selected = usableTemplates?.find(one => one.id === id)
        if (selected) onChoose(selected)
      }}
    />
  )
}

/** Fields for the variables of a template, with the text as the customer will read it. */
export const TemplateForm = ({
  template,
  variables,
  errors,
  context,
  field,
  onChange,
  onDiscard,
}: {
  template: Template
  variables: Record<string, string>
  /** Errors by field, such as `variables.name`. */
  errors: Record<string, ReactNode>
  context: ReplyContext
  field: RefObject<HTMLElement | null>
  onChange: (change: Record<string, string>) => void
  onDiscard: () => void
}) => {
  const t = useTranslate()
  const restriction = findTemplateRestriction(context, template)
  const values = pickVariables(template, variables)
  const [debouncedValues] = useDebouncedValue(JSON.stringify(values), 200)
  const preview = hooks.useQuery(
    'post',
    '/v1/templates/{id}/preview',
    { params: { path: { id: template.id } }, body: { variables: JSON.parse(debouncedValues) } },
    { placeholderData: keepPreviousData, enabled: template.variables.length > 0 },
  )
  const firstUsable = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current = firstUsable.current
    firstUsable.current?.focus()
  }, [field])
  return (
    <div className={styles.template}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={500} className={styles.templateName!}>
          <DocumentTextIcon width={16} aria-hidden="true" />
          {t('inbox.template', { name: template.name })}
        </Text>
        <Button variant="subtle" onClick={onDiscard}>
          {t('inbox.discardTemplate')}
        </Button>
      </Group>
      {restriction !== null && <Text size="sm">{t(`inbox.whyNot.${restriction}`)}</Text>}
      {(errors.templateId ?? errors.variables) && <Input.Error>{errors.templateId ?? errors.variables}</Input.Error>}
      <div className={styles.variables}>
        <VariableFields
          variables={template.variables}
          values={variables}
          errors={Object.fromEntries(template.variables.map(({ name }) => [name, errors[`variables.${name}`]]))}
          firstField={firstUsable}
          onChange={(name, value) => onChange({ [name]: value })}
        />
      </div>
      <div className={styles.previewed} role="status" aria-label={t('inbox.preview')}>
        {preview.error ? (
          <Failure error={preview.error} />
        ) : (
          <bdi dir="auto">{preview.data?.text ?? template.body}</bdi>
        )}
      </div>
    </div>
  )
}

/** Fills variables with the customer's fields of the same name. */
export const prefillVariables = (
  { variables }: Template,
  customer: Schemas['Customer'] | undefined,
): Record<string, string> => {
  if (!customer) return {}
  const customerValues: Record<string, unknown> = { ...customer.attributes, name: customer.name, phone: customer.phone }
  return Object.fromEntries(
    variables.flatMap(({ name }) => {
      const value = customerValues[name]
      return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : []
    }),
  )
}

/** Keeps only the variables of this template, because another one may have been filled in before. */
export const pickVariables = ({ variables }: Template, values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(variables.map(({ name }) => [name, values[name] ?? '']))
