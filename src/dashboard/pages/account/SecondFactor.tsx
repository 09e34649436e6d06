import { Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { PasswordField } from '../../ui/form/PasswordField.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { Facts } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { useNotify } from '../../ui/useNotify.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { SetUpSecondFactor } from './SetUpSecondFactor.tsx'

/** Number of recovery codes below which the page suggests new ones. */
const lowCodesThreshold = 3

/** Two-factor authentication of the person: its state, recovery codes and setup. */
export const SecondFactor = () => {
  const t = useTranslate()
  const query = hooks.useQuery('get', '/v1/auth/totp')
  const totp = query.data
  const invalidate = useInvalidateTotp()
  return (
    <Card
      title={t('account.factor')}
      actions={
        totp && (
          <Status tone={totp.enabled ? 'done' : 'off'}>
            {t(totp.enabled ? 'account.factorOn' : 'account.factorOff')}
          </Status>
        )
      }
    >
      {query.error && !totp && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={56} />}
      {totp &&
        (totp.enabled ? <TotpEnabled totp={totp} onChange={invalidate} /> : <SetUpSecondFactor onDone={invalidate} />)}
    </Card>
  )
}

const useInvalidateTotp = () => {
  const invalidate = useInvalidate()
  return () => void invalidate('/v1/auth/totp', '/v1/auth/sessions')
}

const TotpEnabled = ({ totp, onChange }: { totp: Schemas['Totp']; onChange: () => void }) => {
  const t = useTranslate()
  const notify = useNotify()
  const [isConfirming, dialog] = useDisclosure(false)
  const [isReplacing, replaceDialog] = useDisclosure(false)
  const [codes, setCodes] = useState<string[] | null>(null)
  const remove = async (body: Schemas['RemoveTotp']) => {
    await api.DELETE('/v1/auth/totp', { body })
    notify(t('account.factorRemoved'))
    onChange()
  }
  const replace = async (body: Schemas['RenewRecoveryCodes']) => {
    const { data } = await api.POST('/v1/auth/totp/recovery-codes', { body })
    setCodes(data!.recoveryCodes)
  }
  const codesLeftText = t('account.codesFew', { count: totp.recoveryCodesLeft })
  return (
    <Stack gap="sm" align="flex-start">
      <Facts
        items={{
          [t('account.factorSince')]: totp.since && <Time at={totp.since} exact />,
          [t('account.codesLeft')]:
            totp.recoveryCodesLeft < lowCodesThreshold ? <Status tone="care">{codesLeftText}</Status> : codesLeftText,
        }}
      />
      {totp.recoveryCodesLeft < lowCodesThreshold && (
        <Text size="sm" c="dimmed">
          {t('account.codesRenew')}
        </Text>
      )}
      <Group gap="sm">
        <Button variant="default" onClick={replaceDialog.open}>
          {t('account.codesReplace')}
        </Button>
        <Button variant="default" onClick={dialog.open}>
          {t('account.factorRemove')}
        </Button>
      </Group>
      <PasswordAndCode
        opened={isReplacing}
        title={t('account.codesReplace')}
        text={t('account.codesReplaceText')}
        onClose={replaceDialog.close}
        onSubmit={replace}
      />
      <PasswordAndCode
        opened={isConfirming}
        title={t('account.factorRemove')}
        text={t('account.factorRemoveText')}
        danger
        onClose={dialog.close}
        onSubmit={remove}
      />
      <RecoveryCodes
        codes={codes}
        text={t('account.codesNew')}
        onClose={() => {
          setCodes(null)
          onChange()
        }}
      />
    </Stack>
  )
}

/** Dialog for an action that requires the password and a code. Its title is also the label of its button. */
const PasswordAndCode = ({
  title,
  onSubmit,
  onClose,
  ...dialog
}: {
  opened: boolean
  title: string
  text: string
  danger?: boolean
  onClose: () => void
  onSubmit: (input: { password: string; code: string }) => Promise<void>
}) => {
  const t = useTranslate()
  const apiForm = useApiForm({
    draft: null,
    initial: { password: '', code: '' },
    validate: {
      password: isNotEmpty(t('signIn.passwordMissing')),
      code: isNotEmpty(t('signIn.codeMissing')),
    },
    onSubmit: async ({ password, code }) => {
      await onSubmit({ password, code: code.trim() })
      onClose()
    },
  })
  return (
    <FormDialog {...dialog} title={title} action={title} onClose={onClose} form={apiForm}>
      <PasswordField {...apiForm.form.getInputProps('password')} label={t('account.password')} data-autofocus />
      <TextInput
        {...apiForm.form.getInputProps('code')}
        label={t('account.factorRemoveCode')}
        autoComplete="one-time-code"
        required
        withAsterisk={false}
      />
    </FormDialog>
  )
}
