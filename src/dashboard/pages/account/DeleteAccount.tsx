import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { clearPersonData } from '../../api/workspace.ts'
import { useTranslate } from '../../texts/index.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { PasswordField } from '../../ui/form/PasswordField.tsx'
import { Section } from '../../ui/Panel.tsx'

export const DeleteAccount = () => {
  const t = useTranslate()
  const [isConfirming, dialog] = useDisclosure(false)
  const [password, setPassword] = useState('')
  const deleteAccount = async () => {
    await api.DELETE('/v1/auth/user', { body: { password } })
    clearPersonData()
    location.assign('/sign-in')
  }
  return (
    <Section title={t('account.delete')}>
      <Text size="sm" mb="sm">
        {t('account.deleteText')}
      </Text>
      <Button variant="default" onClick={dialog.open}>
        {t('account.delete')}
      </Button>
      <FormDialog
        opened={isConfirming}
        title={t('account.deleteTitle')}
        text={t('account.deleteText')}
        action={t('account.delete')}
        danger
        onClose={dialog.close}
        onSubmit={deleteAccount}
      >
        <PasswordField label={t('account.password')} data-autofocus value={password} onChange={setPassword} />
      </FormDialog>
    </Section>
  )
}
