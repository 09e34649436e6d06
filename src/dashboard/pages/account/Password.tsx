import { Button, Stack } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { api } from '../../api/client.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { useSession } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { PasswordField } from '../../ui/form/PasswordField.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { useNotify } from '../../ui/useNotify.tsx'

/** Form that changes the password. It ends the other sessions of the person. */
export const Password = () => {
  const t = useTranslate()
  const notify = useNotify()
  const { user } = useSession()
  const invalidate = useInvalidate()
  const { form, submit, busy, failure } = useApiForm({
    draft: null,
    initial: { currentPassword: '', newPassword: '' },
    validate: {
      currentPassword: isNotEmpty(t('account.passwordCurrentMissing')),
      newPassword: isNotEmpty(t('signIn.newPasswordMissing')),
    },
    onSubmit: async body => {
      await api.POST('/v1/auth/password', { body })
      notify(t('account.passwordChanged'))
      void invalidate('/v1/auth/sessions')
    },
  })
  return (
    <Card title={t('account.password')}>
      <form aria-label={t('account.password')} onSubmit={submit} noValidate>
        <Stack gap="md">
          {/* Tells a password manager which account the password belongs to. */}
          <input type="text" autoComplete="username" value={user.email ?? ''} readOnly hidden />
          <PasswordField {...form.getInputProps('currentPassword')} label={t('account.passwordCurrent')} />
          <PasswordField
            {...form.getInputProps('newPassword')}
            isNew
            label={t('account.passwordNew')}
            description={t('account.passwordHint')}
          />
          {failure !== null && <Failure error={failure} />}
          <Button type="submit" variant="default" loading={busy} style={{ alignSelf: 'flex-start' }}>
            {t('account.passwordChange')}
          </Button>
        </Stack>
      </form>
    </Card>
  )
}
