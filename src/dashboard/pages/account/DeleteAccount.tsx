import { Button, Text } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { api } from '../../api/client.ts'
import { clearPersonData } from '../../api/workspace.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { PasswordField } from '../../ui/form/PasswordField.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { TrashIcon } from '../../ui/page-icons.ts'
import styles from './account.module.css'

/** Danger zone: deletes the account after the password is confirmed. */
export const DeleteAccount = () => {
  const t = useTranslate()
  const [isConfirming, dialog] = useDisclosure(false)
  const apiForm = useApiForm({
    draft: null,
    initial: { password: '' },
    validate: { password: isNotEmpty(t('signIn.passwordMissing')) },
    onSubmit: async body => {
      await api.DELETE('/v1/auth/user', { body })
      clearPersonData()
      location.assign('/sign-in')
    },
  })
  return (
    <div className={styles.danger}>
      <Card title={t('account.danger')}>
        <Text size="sm" mb="sm">
          {t('account.deleteText')}
        </Text>
        <Button
          variant="default"
          c="var(--mantine-color-error)"
          leftSection={<TrashIcon width={16} />}
          onClick={dialog.open}
        >
          {t('account.delete')}
        </Button>
      </Card>
      <FormDialog
        opened={isConfirming}
        title={t('account.deleteTitle')}
        text={t('account.deleteText')}
        action={t('account.delete')}
        danger
        onClose={dialog.close}
        form={apiForm}
      >
        <PasswordField {...apiForm.form.getInputProps('password')} label={t('account.password')} data-autofocus />
      </FormDialog>
    </div>
  )
}
