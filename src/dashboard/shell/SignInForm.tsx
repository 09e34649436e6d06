import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { hooks } from '../api/client.ts'
import { useTexts } from '../texts/index.tsx'
import { Failure } from '../ui/Failure.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'

/**
 * Form for email and password, then for the code of a second factor. With a `ticket` it starts at the code. The session
 * is stored in a cookie.
 */
export const SignInForm = ({
  email: known,
  ticket: begun,
  onSignedIn,
}: {
  email?: string
  ticket?: string
  onSignedIn: () => void
}) => {
  const say = useTexts()
  const [email, setEmail] = useState(known ?? '')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [ticket, setTicket] = useState<string | null>(begun ?? null)
  const first = hooks.useMutation('post', '/v1/auth/sign-in')
  const second = hooks.useMutation('post', '/v1/auth/sign-in/second-factor')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (ticket !== null) {
      await second.mutateAsync({ body: { ticket, code } })
      return onSignedIn()
    }
    const answer = await first.mutateAsync({ body: { email, password } })
    if ('ticket' in answer) setTicket(answer.ticket)
    else onSignedIn()
  }
  const busy = first.isPending || second.isPending
  const failure = ticket === null ? first.error : second.error
  return (
    <form onSubmit={event => void submit(event).catch(() => {})} aria-label={say('signIn.title')}>
      <Stack gap="md">
        {ticket === null ? (
          <>
            <TextInput
              label={say('signIn.email')}
              type="email"
              name="email"
              autoComplete="username"
              required
              withAsterisk={false}
              autoFocus={!known}
              value={email}
              onChange={event => setEmail(event.currentTarget.value)}
            />
            <PasswordField
              label={say('signIn.password')}
              autoFocus={Boolean(known)}
              data-autofocus={Boolean(known) || undefined}
              value={password}
              onChange={setPassword}
            />
          </>
        ) : (
          <TextInput
            label={say('signIn.code')}
            description={say('signIn.codeHint')}
            autoComplete="one-time-code"
            required
            withAsterisk={false}
            data-autofocus
            autoFocus
            value={code}
            onChange={event => setCode(event.currentTarget.value)}
          />
        )}
        {failure && <Failure of={failure} />}
        <Button type="submit" size="sm" loading={busy}>
          {say('signIn.submit')}
        </Button>
        {ticket !== null && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            style={{ alignSelf: 'flex-start' }}
            onClick={() => setTicket(null)}
          >
            {say('signIn.back')}
          </Anchor>
        )}
      </Stack>
    </form>
  )
}
