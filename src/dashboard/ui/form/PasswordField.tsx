import { PasswordInput } from '@mantine/core'
import type { ReactNode } from 'react'

/** Password field for the current password, or for a new one with `isNew`. Password managers need the distinction. */
export const PasswordField = ({
  isNew = false,
  onChange,
  ...field
}: {
  isNew?: boolean
  label: string
  description?: string
  value?: string
  error?: ReactNode
  autoFocus?: boolean
  /** Initial focus within a dialog. */
  'data-autofocus'?: boolean | undefined
  onChange: (password: string) => void
}) => (
  <PasswordInput
    {...field}
    // The library marks the field only for the eye.
    aria-invalid={Boolean(field.error) || undefined}
    name="password"
    autoComplete={isNew ? 'new-password' : 'current-password'}
    required
    withAsterisk={false}
    maxLength={1000}
    onChange={event => onChange(event.currentTarget.value)}
  />
)
