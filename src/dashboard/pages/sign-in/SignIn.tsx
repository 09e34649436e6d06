import { Anchor } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { SignInForm } from '../../shell/SignInForm.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Card } from './Card.tsx'

export const SignIn = () => {
  const say = useTexts()
  const queries = useQueryClient()
  const router = useRouter()
  const { to } = useSearch({ from: '/sign-in' })
  return (
    <Card title={say('signIn.title')}>
      <SignInForm
        onSignedIn={() => {
          queries.clear()
          router.history.push(to ?? '/')
        }}
      />
      <Anchor size="sm" renderRoot={props => <Link {...props} to="/forgot-password" />}>
        {say('signIn.forgot')}
      </Anchor>
    </Card>
  )
}
