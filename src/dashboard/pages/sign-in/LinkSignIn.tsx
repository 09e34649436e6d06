import { Anchor, Button, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Failure as ApiFailure, hooks } from '../../api/client.ts'
import { SignInForm } from '../../shell/SignInForm.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'

/**
 * Signs in automatically with the token of the opened link. If the token is no longer valid, it shows the other sign-in
 * methods.
 */
export const LinkSignIn = ({ token, onSignedIn }: { token: string; onSignedIn: () => void }) => {
  const t = useTranslate()
  const [ticket, setTicket] = useState<string | null>(null)
  const { mutate, error } = hooks.useMutation('post', '/v1/auth/sign-in/link', {
    onSuccess: result => ('ticket' in result ? setTicket(result.ticket) : onSignedIn()),
  })
  // The token is valid once, so the request is sent only once even if the component renders again.
  const isUsed = useRef(false)
  useEffect(() => {
    if (isUsed.current) return
    isUsed.current = true
    mutate({ body: { token } })
  }, [mutate, token])
  if (ticket !== null) return <SignInForm ticket={ticket} onSignedIn={onSignedIn} />
  if (error) return <LinkSignInError error={error} retry={() => mutate({ body: { token } })} onSignedIn={onSignedIn} />
  return <Text role="status">{t('signIn.byLink')}</Text>
}

/** Fallback for a rejected token. A person who opens the link a second time is usually signed in already. */
const LinkSignInError = ({
  error,
  retry,
  onSignedIn,
}: {
  error: unknown
  retry: () => void
  onSignedIn: () => void
}) => {
  const t = useTranslate()
  const session = hooks.useQuery('get', '/v1/auth/session', {}, { retry: false })
  const isExpired = error instanceof ApiFailure && error.status === 422
  return (
    <Stack gap="md">
      <Failure error={error} retry={isExpired ? undefined : retry} />
      {session.data ? (
        <>
          <Text size="sm">{t('join.signedIn', { email: session.data.user.email })}</Text>
          <Button size="sm" onClick={onSignedIn}>
            {t('signIn.home')}
          </Button>
        </>
      ) : (
        session.isError && (
          <>
            <Text size="sm">{t('signIn.byPassword')}</Text>
            <SignInForm onSignedIn={onSignedIn} />
            <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/forgot-password" />}>
              {t('signIn.forgot')}
            </Anchor>
          </>
        )
      )}
    </Stack>
  )
}
