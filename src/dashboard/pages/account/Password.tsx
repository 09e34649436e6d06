import { Button, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { hooks } from '../../api/client.ts'
import { useSession } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { PasswordField } from '../../ui/form/PasswordField.tsx'
import { Section } from '../../ui/Panel.tsx'
import { useNotify } from '../../ui/useNotify.tsx'
import styles from './account.module.css'

export const Password = () => {
  const t = useTranslate()
  const notify = useNotify()
  const { user } = useSession()
  const queries = useQueryClient()
  const [currentPassword, setCurrentPassword] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const change = hooks.useMutation('post', '/v1/auth/password')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    await change.mutateAsync({ body: { currentPassword, newPassword } })
    setCurrentPassword('')
    setNewPassword('')
    notify(t('account.passwordChanged'))
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/auth/sessions' })
  }
  return (
    <Section title={t('account.password')}>
      <form
        className={styles.form}
        aria-label={t('account.password')}
        onSubmit={event => void submit(event).catch(() => {})}
      >
        <Stack gap="sm">
          {/* Tells a password manager which account the password belongs to. */}
          <input type="text" autoComplete="username" value={user.email} readOnly hidden />
          <PasswordField label={t('account.passwordCurrent')} value={currentPassword} onChange={setCurrentPassword} />
          <PasswordField
            isNew
            label={t('account.passwordNew')}
            description={t('account.passwordHint')}
            value={newPassword}
            onChange={setNewPassword}
          />
          {change.error && <Failure error={change.error} />}
          <Button type="submit" variant="default" loading={change.isPending} style={{ alignSelf: 'flex-start' }}>
            {t('account.passwordChange')}
          </Button>
        </Stack>
      </form>
    </Section>
  )
}
