import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { hooks } from '../api/client.ts'
import { useTranslate } from '../texts/index.tsx'
import { Failure } from '../ui/Failure.tsx'
import { PasswordField } from '../ui/form/PasswordField.tsx'

/**
 * Form for email and password, then for the code of a second factor. With a `ticket` it starts at the code. The session
 * is stored in a cookie.
 */
export const SignInForm = ({
  email: initialEmail,
  ticket: initialTicket,
  onSignedIn,
}: {
  email?: string
  ticket?: string
  onSignedIn: () => void
}) => {
  const t = useTranslate()
  const [email, setEmail] = useState(initialEmail ?? '')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [ticket, setTicket] = useState<string | null>(initialTicket ?? null)
  const passwordSignIn = hooks.useMutation('post', '/v1/auth/sign-in')
  const secondFactor = hooks.useMutation('post', '/v1/auth/sign-in/second-factor')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (ticket !== null) {
      await secondFactor.mutateAsync({ body: { ticket, code } })
      return onSignedIn()
    }
    const result = await passwordSignIn.mutateAsync({ body: { email, password } })
    if ('ticket' in result) setTicket(result.ticket)
    else onSignedIn()
  }
  const isBusy = passwordSignIn.isPending || secondFactor.isPending
  const failure = ticket === null ? passwordSignIn.error : secondFactor.error
  return (
    <form onSubmit={event => void submit(event).catch(() => {})} aria-label={t('signIn.title')}>
      <Stack gap="md">
        {ticket === null ? (
          <>
            <TextInput
              label={t('signIn.email')}
              type="email"
              name="email"
              autoComplete="username"
              required
              withAsterisk={false}
              autoFocus={!initialEmail}
              value={email}
              onChange={event => setEmail(event.currentTarget.value)}
            />
            <PasswordField
              label={t('signIn.password')}
              autoFocus={Boolean(initialEmail)}
              data-autofocus={Boolean(initialEmail) || undefined}
              value={password}
              onChange={setPassword}
            />
          </>
        ) : (
          <TextInput
            label={t('signIn.code')}
            description={t('signIn.codeHint')}
            autoComplete="one-time-code"
            required
            withAsterisk={false}
            data-autofocus
            autoFocus
            value={code}
            onChange={event => setCode(event.currentTarget.value)}
          />
        )}
        {failure && <Failure error={failure} />}
        <Button type="submit" size="sm" loading={isBusy}>
          {t('signIn.submit')}
        </Button>
        {ticket !== null && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            style={{ alignSelf: 'flex-start' }}
            onClick={() => setTicket(null)}
          >
            {t('signIn.back')}
          </Anchor>
        )}
      </Stack>
    </form>
  )
}
