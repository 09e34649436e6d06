import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { PasswordField } from '../../ui/form/PasswordField.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import styles from './account.module.css'
import { QrCode } from './QrCode.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

/** Setup of two-factor authentication: the password, the QR code with a first code, then the recovery codes. */
export const SetUpSecondFactor = ({ onDone }: { onDone: () => void }) => {
  const t = useTranslate()
  const [pending, setPending] = useState<Schemas['NewTotp'] | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const [isConfirming, dialog] = useDisclosure(false)
  const passwordForm = useApiForm({
    draft: null,
    initial: { password: '' },
    validate: { password: isNotEmpty(t('signIn.passwordMissing')) },
    onSubmit: async body => {
      const { data } = await api.POST('/v1/auth/totp', { body })
      dialog.close()
      setPending(data!)
    },
  })
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm" c="dimmed">
        {t('account.factorText')}
      </Text>
      <Button onClick={dialog.open}>{t('account.factorSetUp')}</Button>
      <FormDialog
        opened={isConfirming}
        title={t('account.factorTitle')}
        text={t('account.factorPassword')}
        action={t('account.factorContinue')}
        onClose={dialog.close}
        form={passwordForm}
      >
        <PasswordField {...passwordForm.form.getInputProps('password')} label={t('account.password')} data-autofocus />
      </FormDialog>
      <ScanCode
        totp={pending}
        onClose={() => setPending(null)}
        onDone={recoveryCodes => {
          setPending(null)
          setCodes(recoveryCodes)
        }}
      />
      <RecoveryCodes
        codes={codes}
        text={t('account.recoveryText')}
        onClose={() => {
          setCodes(null)
          onDone()
        }}
      />
    </Stack>
  )
}

const groupByFour = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret

/** Dialog with the QR code of the authenticator app, and the first code of the app. */
const ScanCode = ({
  totp,
  onClose,
  onDone,
}: {
  totp: Schemas['NewTotp'] | null
  onClose: () => void
  onDone: (recoveryCodes: string[]) => void
}) => {
  const t = useTranslate()
  const codeForm = useApiForm({
    draft: null,
    initial: { code: '' },
    validate: { code: isNotEmpty(t('signIn.codeMissing')) },
    onSubmit: async ({ code }) => {
      const { data } = await api.POST('/v1/auth/totp/confirm', { body: { code: code.replaceAll(/\s/g, '') } })
      onDone(data!.recoveryCodes)
    },
  })
  return (
    <FormDialog
      opened={totp !== null}
      title={t('account.factorTitle')}
      text={t('account.factorSteps')}
      action={t('account.factorConfirm')}
      onClose={onClose}
      form={codeForm}
    >
      {totp && (
        <Stack gap="sm" align="flex-start">
          <QrCode text={totp.uri} label={t('account.factorQrCode')} />
          <div>
            <Text size="xs" c="dimmed">
              {t('account.factorKey')}
            </Text>
            <span className={styles.key}>{groupByFour(totp.secret)}</span>
          </div>
          <Anchor size="sm" href={totp.uri}>
            {t('account.factorOpen')}
          </Anchor>
        </Stack>
      )}
      <TextInput
        {...codeForm.form.getInputProps('code')}
        label={t('account.factorCode')}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        withAsterisk={false}
        data-autofocus
      />
    </FormDialog>
  )
}
