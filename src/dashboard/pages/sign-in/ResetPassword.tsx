import { Anchor, Button, Stack, Text } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { PasswordField } from '../../ui/form/PasswordField.tsx'
import { Card } from './Card.tsx'
import { InvalidLink } from './InvalidLink.tsx'
import { readLinkToken } from './token.ts'

/** Page of a password reset link. */
export const ResetPassword = () => {
  const t = useTranslate()
  const token = readLinkToken(useLocation().hash)
  const [password, setPassword] = useState('')
  const reset = hooks.useMutation('post', '/v1/auth/reset-password')
  const title = t('reset.title')
  if (token === '') {
    return (
      <Card title={title}>
        <InvalidLink />
      </Card>
    )
  }
  if (reset.isSuccess) {
    return (
      <Card title={title}>
        <Text role="status">{t('reset.done')}</Text>
        <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/sign-in" />}>
          {t('signIn.title')}
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
            isNew
            label={t('reset.password')}
            description={t('account.passwordHint')}
            autoFocus
            value={password}
            onChange={setPassword}
          />
          {reset.error && <Failure error={reset.error} />}
          <Button type="submit" size="sm" loading={reset.isPending}>
            {t('reset.submit')}
          </Button>
        </Stack>
      </form>
      <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/forgot-password" />}>
        {t('reset.another')}
      </Anchor>
    </Card>
  )
}
