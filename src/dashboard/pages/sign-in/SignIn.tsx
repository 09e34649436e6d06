import { Anchor } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useLocation, useRouter, useSearch } from '@tanstack/react-router'
import { SignInForm } from '../../shell/SignInForm.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from './Card.tsx'
import { LinkSignIn } from './LinkSignIn.tsx'
import { SsoButton } from './SsoButton.tsx'
import { readLinkToken } from './token.ts'

/** Sign-in page, by password or by a link with a token. */
export const SignIn = () => {
  const t = useTranslate()
  const queries = useQueryClient()
  const router = useRouter()
  const token = readLinkToken(useLocation().hash)
  const { to = '/' } = useSearch({ from: '/sign-in' })
  const onSignedIn = () => {
    queries.clear()
    // Replaces this address, so that the back button does not return to the form or to the token.
    router.history.replace(to)
  }
  return (
    <Card title={t('signIn.title')} text={t('signIn.text')}>
      {token === '' ? (
        <>
          <SignInForm onSignedIn={onSignedIn} />
          <SsoButton to={to} />
          <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/forgot-password" />}>
            {t('signIn.forgot')}
          </Anchor>
        </>
      ) : (
        <LinkSignIn key={token} token={token} onSignedIn={onSignedIn} />
      )}
    </Card>
  )
}
