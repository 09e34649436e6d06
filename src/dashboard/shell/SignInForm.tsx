import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { isEmail, isNotEmpty } from '@mantine/form'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { useTranslate } from '../texts/index.tsx'
import { Failure } from '../ui/Failure.tsx'
import { PasswordField } from '../ui/form/PasswordField.tsx'
import { useApiForm } from '../ui/form/useApiForm.ts'

/**
 * Form for email and password, then for the code of a second factor. With a `ticket` it starts at the code. The session
 * is stored in a cookie.
 */
export const SignInForm = ({
  email,
  ticket: initialTicket,
  onSignedIn,
}: {
  email?: string
  ticket?: string
  onSignedIn: () => void
}) => {
  const t = useTranslate()
  const [ticket, setTicket] = useState<string | null>(initialTicket ?? null)
  if (ticket === null) return <PasswordForm email={email ?? ''} onTicket={setTicket} onSignedIn={onSignedIn} />
  return (
    <CodeForm
      label={t('signIn.submit')}
      onSubmit={async code => {
        await api.POST('/v1/auth/sign-in/second-factor', { body: { ticket, code } })
        onSignedIn()
      }}
      onBack={() => setTicket(null)}
    />
  )
}

const PasswordForm = ({
  email,
  onTicket,
  onSignedIn,
}: {
  email: string
  onTicket: (ticket: string) => void
  onSignedIn: () => void
}) => {
  const t = useTranslate()
  const { form, submit, busy, failure } = useApiForm({
    draft: null,
    initial: { email, password: '' },
    validate: {
      email: value => isEmail(t('signIn.emailInvalid'))(value.trim()),
      password: isNotEmpty(t('signIn.passwordMissing')),
    },
    onSubmit: async ({ email, password }) => {
      const { data } = await api.POST('/v1/auth/sign-in', { body: { email: email.trim(), password } })
      if ('ticket' in data!) onTicket(data.ticket)
      else onSignedIn()
    },
  })
  return (
    <form onSubmit={submit} noValidate aria-label={t('signIn.title')}>
      <Stack gap="md">
        <TextInput
          {...form.getInputProps('email')}
          label={t('signIn.email')}
          type="email"
          name="email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus={!email}
        />
        <PasswordField
          {...form.getInputProps('password')}
          label={t('signIn.password')}
          autoFocus={Boolean(email)}
          data-autofocus={Boolean(email) || undefined}
        />
        {failure !== null && <Failure error={failure} />}
        <Button type="submit" size="sm" loading={busy}>
          {t('signIn.submit')}
        </Button>
      </Stack>
    </form>
  )
}

/** Form for the code of a second factor. `label` is the text of its button. */
export const CodeForm = ({
  label,
  onSubmit,
  onBack,
}: {
  label: string
  onSubmit: (code: string) => Promise<unknown>
  onBack?: () => void
}) => {
  const t = useTranslate()
  const { form, submit, busy, failure } = useApiForm({
    draft: null,
    initial: { code: '' },
    validate: { code: isNotEmpty(t('signIn.codeMissing')) },
    onSubmit: ({ code }) => onSubmit(code.trim()),
  })
  return (
    <form onSubmit={submit} noValidate aria-label={label}>
      <Stack gap="md">
        <TextInput
          {...form.getInputProps('code')}
          label={t('signIn.code')}
          description={t('signIn.codeHint')}
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          data-autofocus
          autoFocus
        />
        {failure !== null && <Failure error={failure} />}
        <Button type="submit" size="sm" loading={busy}>
          {label}
        </Button>
        {onBack && (
          <Anchor component="button" type="button" size="sm" style={{ alignSelf: 'flex-start' }} onClick={onBack}>
            {t('signIn.back')}
          </Anchor>
        )}
      </Stack>
    </form>
  )
}
