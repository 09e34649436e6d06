import { PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import {
  type CredentialField,
  type Credentials,
  findInitialAlternative,
  listShownFields,
  toCredentials,
} from './kinds.ts'

/** State of a form with these fields. `number` is the current number of the channel, which selects an alternative. */
export const useCredentials = (fields: CredentialField[], number: string | null = null) => {
  const [selected, select] = useState<string>()
  const [values, change] = useState<Credentials>({})
  const alternatives = fields.filter(field => field.alternatives.length > 0)
  const chosen = alternatives.find(({ name }) => name === selected)?.name ?? findInitialAlternative(fields, number)
  const shown = listShownFields(fields, chosen)
  const toBody = () => toCredentials(shown, values)
  /** Returns the required fields without a value. */
  const listMissing = () => shown.filter(field => isRequired(field) && !Object.hasOwn(toBody(), field.name))
  return { alternatives, chosen, select, shown, values, change, toBody, listMissing }
}

/** Returns true for a required field and for the chosen alternative. */
const isRequired = ({ required, alternatives }: CredentialField): boolean => required || alternatives.length > 0

/** Fields for the provider's credentials, with hints where to find each of them. */
export const CredentialFields = ({
  form: { alternatives, chosen, select, shown, values, change },
  faults = {},
  onEdit,
}: {
  form: ReturnType<typeof useCredentials>
  /** Validation errors by field path of the API. */
  faults?: Record<string, ReactNode>
  /** Called with the name of a field that the person changes. */
  onEdit?: (name: string) => void
}) => {
  const t = useTranslate()
  return (
    <Stack gap="sm">
      {alternatives.length > 0 && (
        <SegmentedControl
          size="xs"
          aria-label={t('channels.alternatives')}
          data={alternatives.map(({ name, label }) => ({ value: name, label }))}
          value={chosen!}
          onChange={select}
        />
      )}
      {shown.map(field => {
        const Input = field.secret ? PasswordInput : TextInput
        return (
          <Input
            key={field.name}
            label={field.label}
            description={field.description}
            placeholder={
              field.secret || field.example === null ? undefined : t('channels.example', { example: field.example })
            }
            name={field.name}
            required={isRequired(field)}
            data-path={`credentials.${field.name}`}
            withAsterisk={false}
            autoComplete="off"
            spellCheck={false}
            error={faults[`credentials.${field.name}`]}
            value={values[field.name] ?? ''}
            onChange={event => {
              change({ ...values, [field.name]: event.currentTarget.value })
              onEdit?.(field.name)
            }}
          />
        )
      })}
      <Text size="xs" c="dimmed">
        {t('channels.credentialsHint')}
      </Text>
    </Stack>
  )
}
