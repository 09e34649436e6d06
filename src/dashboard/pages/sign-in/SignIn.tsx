import { Anchor } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useLocation, useRouter, useSearch } from '@tanstack/react-router'
import { SignInForm } from '../../shell/SignInForm.tsx'
import { useTexts } from '../../texts/index.tsx'
import { ByLink } from './ByLink.tsx'
import { Card } from './Card.tsx'
import { tokenOfLink } from './token.ts'

/** Sign-in page, by password or by a link with a token. */
export const SignIn = () => {
  const say = useTexts()
  const queries = useQueryClient()
  const router = useRouter()
  const token = tokenOfLink(useLocation().hash)
  const { to = '/' } = useSearch({ from: '/sign-in' })
  const signedIn = () => {
    queries.clear()
    // Replaces this address, so that the back button does not return to the form or to the token.
    router.history.replace(to)
  }
  return (
    <Card title={say('signIn.title')}>
      {token === '' ? (
        <>
          <SignInForm onSignedIn={signedIn} />
          <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/forgot-password" />}>
            {say('signIn.forgot')}
          </Anchor>
        </>
      ) : (
        <ByLink key={token} token={token} onSignedIn={signedIn} />
      )}
    </Card>
  )
}
