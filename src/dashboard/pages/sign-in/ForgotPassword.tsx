import { Button, Stack, Text, TextInput } from '@mantine/core'
import { isEmail } from '@mantine/form'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { EnvelopeIcon, LockClosedIcon } from '../../ui/page-icons.ts'
import { BackToSignIn, Card } from './Card.tsx'

/** Page that sends a link to choose a new password. */
export const ForgotPassword = () => {
  const t = useTranslate()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { form, submit, busy, failure } = useApiForm({
    draft: null,
    initial: { email: '' },
    validate: { email: value => isEmail(t('signIn.emailInvalid'))(value.trim()) },
    onSubmit: async ({ email }) => {
      await api.POST('/v1/auth/forgot-password', { body: { email: email.trim() } })
      setSentTo(email.trim())
    },
  })
  if (sentTo !== null)
    return (
      <Card title={t('forgot.sentTitle')} icon={EnvelopeIcon}>
        <Text role="status" size="sm">
          {t('forgot.sent', { email: sentTo })}
        </Text>
        <BackToSignIn />
      </Card>
    )
  return (
    <Card title={t('forgot.title')} text={t('forgot.text')} icon={LockClosedIcon}>
      <form onSubmit={submit} noValidate aria-label={t('forgot.title')}>
        <Stack gap="md">
          <TextInput
            {...form.getInputProps('email')}
            label={t('signIn.email')}
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            autoFocus
          />
          {failure !== null && <Failure error={failure} />}
          <Button type="submit" size="sm" loading={busy}>
            {t('forgot.submit')}
          </Button>
        </Stack>
      </form>
      <BackToSignIn />
    </Card>
  )
}
