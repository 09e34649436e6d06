import { Anchor, Button, Stack, Text } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { BrokenLink } from './BrokenLink.tsx'
import { Card } from './Card.tsx'
import { tokenOfLink } from './token.ts'

/** Page of a password reset link. */
export const ResetPassword = () => {
  const say = useTexts()
  const token = tokenOfLink(useLocation().hash)
  const [password, setPassword] = useState('')
  const reset = hooks.useMutation('post', '/v1/auth/reset-password')
  const title = say('reset.title')
  if (token === '') {
    return (
      <Card title={title}>
        <BrokenLink />
      </Card>
    )
  }
  if (reset.isSuccess) {
    return (
      <Card title={title}>
        <Text role="status">{say('reset.done')}</Text>
        <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/sign-in" />}>
          {say('signIn.title')}
        </Anchor>
      </Card>
    )
  }
  return (
    <Card title={title}>
      <form
        onSubmit={event => {
          event.preventDefault()
          reset.mutate({ body: { token, password } })
        }}
      >
        <Stack gap="md">
          <PasswordField
            fresh
            label={say('reset.password')}
            description={say('account.passwordHint')}
            autoFocus
            value={password}
            onChange={setPassword}
          />
          {reset.error && <Failure of={reset.error} />}
          <Button type="submit" size="sm" loading={reset.isPending}>
            {say('reset.submit')}
          </Button>
        </Stack>
      </form>
      <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/forgot-password" />}>
        {say('reset.another')}
      </Anchor>
    </Card>
  )
}
