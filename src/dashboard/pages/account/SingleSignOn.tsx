import { Button, Stack, Text } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { api, hooks } from '../../api/client.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { PasswordField } from '../../ui/form/PasswordField.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { Facts } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { useNotify } from '../../ui/useNotify.tsx'

/** Single sign-on of the person: whether it is linked, and its removal. Empty without an identity provider. */
export const SingleSignOn = () => {
  const t = useTranslate()
  const notify = useNotify()
  const invalidate = useInvalidate()
  const { data: sso } = hooks.useQuery('get', '/v1/auth/sso')
  const { data: identity } = hooks.useQuery('get', '/v1/auth/sso/identity', {}, { enabled: sso?.enabled === true })
  const [isRemoving, dialog] = useDisclosure(false)
  const apiForm = useApiForm({
    draft: null,
    initial: { password: '' },
    validate: { password: isNotEmpty(t('signIn.passwordMissing')) },
    onSubmit: async body => {
      await api.DELETE('/v1/auth/sso/identity', { body })
      dialog.close()
      notify(t('sso.removed'))
      void invalidate('/v1/auth/sso/identity', '/v1/auth/sessions')
    },
  })
  if (!sso?.enabled || !identity) return null
  return (
    <Card
      title={t('sso.title')}
      actions={
        <Status tone={identity.linked ? 'done' : 'off'}>{t(identity.linked ? 'sso.linked' : 'sso.notLinked')}</Status>
      }
    >
      {identity.linked ? (
        <Stack gap="sm" align="flex-start">
          <Facts items={{ [t('sso.since')]: identity.since && <Time at={identity.since} exact /> }} />
          <Button variant="default" onClick={dialog.open}>
            {t('sso.remove')}
          </Button>
        </Stack>
      ) : (
        <Text size="sm">{t('sso.linkHint')}</Text>
      )}
      <FormDialog
        opened={isRemoving}
        danger
        title={t('sso.remove')}
        text={t('sso.removeText')}
        action={t('sso.remove')}
        onClose={dialog.close}
        form={apiForm}
      >
        <PasswordField {...apiForm.form.getInputProps('password')} label={t('account.password')} data-autofocus />
      </FormDialog>
    </Card>
  )
}
