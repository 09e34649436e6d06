import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Card } from './Card.tsx'

export const ForgotPassword = () => {
  const say = useTexts()
  const [email, setEmail] = useState('')
  const ask = hooks.useMutation('post', '/v1/auth/forgot-password')
  return (
    <Card title={say('forgot.title')}>
      {ask.isSuccess ? (
        <Text role="status">{say('forgot.sent', { email })}</Text>
      ) : (
        <form
          onSubmit={event => {
            event.preventDefault()
            ask.mutate({ body: { email } })
          }}
        >
          <Stack gap="md">
            <Text size="sm">{say('forgot.text')}</Text>
            <TextInput
              label={say('signIn.email')}
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
              autoFocus
              value={email}
              onChange={event => setEmail(event.currentTarget.value)}
            />
            {ask.error && <Failure of={ask.error} />}
            <Button type="submit" size="sm" loading={ask.isPending}>
              {say('forgot.submit')}
            </Button>
          </Stack>
        </form>
      )}
      <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/sign-in" />}>
        {say('forgot.back')}
      </Anchor>
    </Card>
  )
}
