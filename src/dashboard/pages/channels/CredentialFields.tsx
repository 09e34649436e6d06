import { PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useTexts } from '../../texts/index.tsx'
import { type Credentials, credentialFields, type Kind, type Sender, secretFields, senders } from './kinds.ts'

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
  const say = useTexts()
  return (
    <Stack gap="sm">
      {kind === 'twilio_sms' && (
        <SegmentedControl
          size="xs"
          aria-label={say('channels.sender')}
          data={senders.map(value => ({ value, label: say(`channels.sender.${value}`) }))}
          value={sender}
          onChange={value => onSender(value as Sender)}
        />
      )}
      {credentialFields(kind, sender).map(field => {
        const Input = secretFields.has(field) ? PasswordInput : TextInput
        return (
          <Input
            key={field}
            label={say(`channels.${field}`)}
            description={say(`channels.${field}Hint`)}
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
        {say('channels.kept')}
      </Text>
    </Stack>
  )
}
