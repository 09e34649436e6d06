import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { forgetPerson } from '../../api/workspace.ts'
import { useTexts } from '../../texts/index.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Section } from '../../ui/Panel.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'

export const DeleteAccount = () => {
  const say = useTexts()
  const [asking, dialog] = useDisclosure(false)
  const [password, setPassword] = useState('')
  const remove = async () => {
    await api.DELETE('/v1/auth/user', { body: { password } })
    forgetPerson()
    location.assign('/sign-in')
  }
  return (
    <Section title={say('account.delete')}>
      <Text size="sm" mb="sm">
        {say('account.deleteWhat')}
      </Text>
      <Button variant="default" onClick={dialog.open}>
        {say('account.delete')}
      </Button>
      <FormDialog
        opened={asking}
        title={say('account.deleteTitle')}
        text={say('account.deleteWhat')}
        action={say('account.delete')}
        danger
        onClose={dialog.close}
        onSubmit={remove}
      >
        <PasswordField label={say('account.password')} data-autofocus value={password} onChange={setPassword} />
      </FormDialog>
    </Section>
  )
}
