import { Anchor, Button, Stack, Text } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { PasswordField } from '../../ui/form/PasswordField.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { CheckCircleIcon } from '../../ui/icons.ts'
import { LockClosedIcon } from '../../ui/page-icons.ts'
import { BackToSignIn, Card } from './Card.tsx'
import { InvalidLink } from './InvalidLink.tsx'
import { readLinkToken } from './token.ts'

/** Page of a password reset link. */
export const ResetPassword = () => {
  const t = useTranslate()
  const token = readLinkToken(useLocation().hash)
  const [isDone, setIsDone] = useState(false)
  if (token === '') {
    return (
      <Card title={t('reset.title')} icon={LockClosedIcon}>
        <InvalidLink />
      </Card>
    )
  }
  if (isDone) {
    return (
      <Card title={t('reset.doneTitle')} icon={CheckCircleIcon}>
        <Text role="status" size="sm">
          {t('reset.done')}
        </Text>
        <Button size="sm" renderRoot={(props: object) => <Link {...props} to="/sign-in" />}>
          {t('signIn.title')}
        </Button>
      </Card>
    )
  }
  return (
    <Card title={t('reset.title')} icon={LockClosedIcon}>
      <NewPassword token={token} onDone={() => setIsDone(true)} />
      <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/forgot-password" />}>
        {t('reset.another')}
      </Anchor>
      <BackToSignIn />
    </Card>
  )
}

const NewPassword = ({ token, onDone }: { token: string; onDone: () => void }) => {
  const t = useTranslate()
  const { form, submit, busy, failure } = useApiForm({
    draft: null,
    initial: { password: '' },
    validate: { password: isNotEmpty(t('signIn.newPasswordMissing')) },
    onSubmit: async ({ password }) => {
      await api.POST('/v1/auth/reset-password', { body: { token, password } })
      onDone()
    },
  })
  return (
    <form onSubmit={submit} noValidate aria-label={t('reset.title')}>
      <Stack gap="md">
        <PasswordField
          {...form.getInputProps('password')}
          isNew
          label={t('reset.password')}
          description={t('account.passwordHint')}
          autoFocus
        />
        {failure !== null && <Failure error={failure} />}
        <Button type="submit" size="sm" loading={busy}>
          {t('reset.submit')}
        </Button>
      </Stack>
    </form>
  )
}
