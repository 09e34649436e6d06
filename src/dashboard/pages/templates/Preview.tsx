import { Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { CustomerSelect } from '../customers/CustomerSelect.tsx'
import { fillPlaceholders, listVariables } from './body.ts'
import type { TemplateForm } from './form.ts'
import { MessagePhone } from './MessagePhone.tsx'

/**
 * Preview of a template. The API renders it for a customer. While the template is edited, the browser fills in the
 * sample values.
 */
export const Preview = ({
  template,
  typed,
  dirty,
}: {
  template: Schemas['Template'] | null
  typed: TemplateForm
  dirty: boolean
}) => {
  const t = useTranslate()
  const [customerId, setCustomerId] = useState<string | null>(null)
  const [values, setValues] = useState<Record<string, string>>({})
  const variables = listVariables(typed.body, typed.variables)
  const variableValues = Object.fromEntries(variables.map(({ name, sample }) => [name, values[name] ?? sample]))
  const isSaved = template !== null && !dirty
  return (
    <Card title={t('templates.preview')}>
      <Stack gap="sm">
        <CustomerSelect
          label={t('templates.customer')}
          placeholder={t('templates.customerPlaceholder')}
          value={customerId}
          onChange={setCustomerId}
        />
        {customerId !== null && variables.length > 0 && (
          <Stack gap="xs">
            <Text size="xs" c="dimmed">
              {t('templates.valueHint')}
            </Text>
            {variables.map(({ name }) => (
              <TextInput
                key={name}
                size="xs"
                label={t('templates.value', { name })}
                maxLength={1000}
                value={variableValues[name] ?? ''}
                onChange={event => setValues({ ...values, [name]: event.currentTarget.value })}
              />
            ))}
          </Stack>
        )}
        {isSaved ? (
          <CustomerPreview template={template} customerId={customerId} values={variableValues} />
        ) : (
          <>
            <MessagePhone text={fillPlaceholders(typed.body, variableValues)} />
            {customerId !== null && (
              <Text size="xs" c="dimmed">
                {t('templates.unsavedPreview')}
              </Text>
            )}
          </>
        )}
      </Stack>
    </Card>
  )
}

const CustomerPreview = ({
  template,
  customerId,
  values,
}: {
  template: Schemas['Template']
  customerId: string | null
  values: Record<string, string>
}) => {
  const t = useTranslate()
  const [debouncedValues] = useDebouncedValue(values, 250)
  // A template saved recently may have other variables than the values typed before.
  const variables = Object.fromEntries(template.variables.map(({ name }) => [name, debouncedValues[name] ?? '']))
  const query = hooks.useQuery(
    'post',
    '/v1/templates/{id}/preview',
    { params: { path: { id: template.id } }, body: customerId === null ? {} : { customerId, variables } },
    { placeholderData: keepPreviousData },
  )
  if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />
  const missing = customerId === null ? [] : (query.data?.missing ?? [])
  return (
    <>
      <MessagePhone text={query.data?.text ?? ''} />
      {missing.length > 0 && <Text size="sm">{t('templates.missing', { names: missing.join(', ') })}</Text>}
    </>
  )
}
