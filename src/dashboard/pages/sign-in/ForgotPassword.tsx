import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Card } from './Card.tsx'

export const ForgotPassword = () => {
  const t = useTranslate()
  const [email, setEmail] = useState('')
  const requestReset = hooks.useMutation('post', '/v1/auth/forgot-password')
  return (
    <Card title={t('forgot.title')}>
      {requestReset.isSuccess ? (
        <Text role="status">{t('forgot.sent', { email })}</Text>
      ) : (
        <form
          onSubmit={event => {
            event.preventDefault()
            requestReset.mutate({ body: { email } })
          }}
        >
          <Stack gap="md">
            <Text size="sm">{t('forgot.text')}</Text>
            <TextInput
              label={t('signIn.email')}
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
              autoFocus
              value={email}
              onChange={event => setEmail(event.currentTarget.value)}
            />
            {requestReset.error && <Failure error={requestReset.error} />}
            <Button type="submit" size="sm" loading={requestReset.isPending}>
              {t('forgot.submit')}
            </Button>
          </Stack>
        </form>
      )}
      <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/sign-in" />}>
        {t('forgot.back')}
      </Anchor>
    </Card>
  )
}
