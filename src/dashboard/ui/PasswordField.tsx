import { PasswordInput } from '@mantine/core'

/** The password of an account: the one that is known, or a `fresh` one. Whoever keeps passwords is told which. */
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
  /** In a dialog it is where one begins to type. */
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
