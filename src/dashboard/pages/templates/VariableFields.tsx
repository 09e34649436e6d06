import { TextInput } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'

/** One field for each variable of a template. The samples are examples and never values. */
export const VariableFields = ({
  variables,
  values,
  onChange,
  label = name => name,
  errors = {},
  firstField,
}: {
  variables: Schemas['Template']['variables']
  values: Record<string, string>
  onChange: (name: string, value: string) => void
  label?: (name: string) => string
  /** Validation errors by the name of the variable. */
  errors?: Record<string, ReactNode>
  firstField?: Ref<HTMLInputElement>
}) => {
  const t = useTranslate()
  return variables.map(({ name, sample }, index) => (
    <TextInput
      key={name}
      ref={index === 0 ? firstField : undefined}
      label={label(name)}
      placeholder={t('templates.exampleOf', { sample })}
      maxLength={1000}
      error={errors[name]}
      value={values[name] ?? ''}
      onChange={event => onChange(name, event.currentTarget.value)}
    />
  ))
}
