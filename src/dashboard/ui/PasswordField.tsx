import { PasswordInput } from '@mantine/core'

/** Password field for the current password, or for a new one with `fresh`. Password managers need the distinction. */
export const PasswordField = ({
  fresh = false,
  onChange,
  ...field
}: {
  fresh?: boolean
  label: string
  description?: string
  value: string
  autoFocus?: boolean
  /** Initial focus within a dialog. */
  'data-autofocus'?: boolean | undefined
  onChange: (password: string) => void
}) => (
  <PasswordInput
    {...field}
    name="password"
    autoComplete={fresh ? 'new-password' : 'current-password'}
    required
    withAsterisk={false}
    maxLength={1000}
    onChange={event => onChange(event.currentTarget.value)}
  />
)
