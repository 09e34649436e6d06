import { Button, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { hooks } from '../../api/client.ts'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Section } from '../../ui/Panel.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { useTell } from '../../ui/told.tsx'
import styles from './account.module.css'

export const Password = () => {
  const say = useTexts()
  const tell = useTell()
  const { user } = useSession()
  const queries = useQueryClient()
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const change = hooks.useMutation('post', '/v1/auth/password')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    await change.mutateAsync({ body: { currentPassword, newPassword } })
    setCurrent('')
    setNew('')
    tell(say('account.passwordChanged'))
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/auth/sessions' })
  }
  return (
    <Section title={say('account.password')}>
      <form
        className={styles.form}
        aria-label={say('account.password')}
        onSubmit={event => void submit(event).catch(() => {})}
      >
        <Stack gap="sm">
          {/* Tells a password manager which account the password belongs to. */}
          <input type="text" autoComplete="username" value={user.email} readOnly hidden />
          <PasswordField label={say('account.passwordCurrent')} value={currentPassword} onChange={setCurrent} />
          <PasswordField
            fresh
            label={say('account.passwordNew')}
            description={say('account.passwordHint')}
            value={newPassword}
            onChange={setNew}
          />
          {change.error && <Failure of={change.error} />}
          <Button type="submit" variant="default" loading={change.isPending} style={{ alignSelf: 'flex-start' }}>
            {say('account.passwordChange')}
          </Button>
        </Stack>
      </form>
    </Section>
  )
}
