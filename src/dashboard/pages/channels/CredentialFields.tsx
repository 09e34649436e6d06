import { PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useTranslate } from '../../texts/index.tsx'
import { type Credentials, isSecret, type Kind, listCredentialFields, type Sender, senders } from './kinds.ts'

/** Fields for the provider's credentials, with hints where to find each of them. */
export const CredentialFields = ({
  kind,
  sender,
  onSender,
  values,
  onChange,
  faults = {},
}: {
  kind: Kind
  sender: Sender
  onSender: (sender: Sender) => void
  values: Credentials
  onChange: (values: Credentials) => void
  /** Validation errors by field path of the API. */
  faults?: Record<string, string>
}) => {
  const t = useTranslate()
  return (
    <Stack gap="sm">
      {kind === 'twilio_sms' && (
        <SegmentedControl
          size="xs"
          aria-label={t('channels.sender')}
          data={senders.map(value => ({ value, label: t(`channels.sender.${value}`) }))}
          value={sender}
          onChange={value => onSender(value as Sender)}
        />
      )}
      {listCredentialFields(kind, sender).map(field => {
        const Input = isSecret(kind, field) ? PasswordInput : TextInput
        return (
          <Input
            key={field}
            label={t(`channels.${field}`)}
            description={t(`channels.${field}Hint`)}
            name={field}
            required
            withAsterisk={false}
            autoComplete="off"
            spellCheck={false}
            error={faults[`credentials.${field}`]}
            value={values[field] ?? ''}
            onChange={event => onChange({ ...values, [field]: event.currentTarget.value })}
          />
        )
      })}
      <Text size="xs" c="dimmed">
        {t('channels.kept')}
      </Text>
    </Stack>
  )
}
