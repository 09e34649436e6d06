import { Anchor, Button, CopyButton, Group, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { PasswordField } from '../../ui/form/PasswordField.tsx'
import { Facts, Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { useNotify } from '../../ui/useNotify.tsx'
import styles from './account.module.css'
import { QrCode } from './QrCode.tsx'

/** Number of recovery codes below which the page suggests new ones. */
const lowCodesThreshold = 3

export const SecondFactor = () => {
  const t = useTranslate()
  const query = hooks.useQuery('get', '/v1/auth/totp')
  const totp = query.data
  return (
    <Section
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
      {totp && (totp.enabled ? <TotpEnabled totp={totp} /> : <TotpDisabled />)}
    </Section>
  )
}

const useInvalidateTotp = () => {
  const queries = useQueryClient()
  return () =>
    queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[1] === '/v1/auth/totp' || queryKey[1] === '/v1/auth/sessions',
    })
}

const TotpEnabled = ({ totp }: { totp: Schemas['Totp'] }) => {
  const t = useTranslate()
  const notify = useNotify()
  const invalidate = useInvalidateTotp()
  const [isConfirming, dialog] = useDisclosure(false)
  const [isReplacing, replaceDialog] = useDisclosure(false)
  const [codes, setCodes] = useState<string[] | null>(null)
  const remove = async (body: Schemas['RemoveTotp']) => {
    await api.DELETE('/v1/auth/totp', { body })
    notify(t('account.factorRemoved'))
    void invalidate()
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
          void invalidate()
        }}
      />
    </Stack>
  )
}

/** Dialog for an action that requires the password and a code. Its title is also the label of its button. */
const PasswordAndCode = ({
  title,
  onSubmit,
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
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const submit = async () => {
    await onSubmit({ password, code: code.trim() })
    setPassword('')
    setCode('')
  }
  return (
    <FormDialog {...dialog} title={title} action={title} onSubmit={submit}>
      <PasswordField label={t('account.password')} data-autofocus value={password} onChange={setPassword} />
      <TextInput
        label={t('account.factorRemoveCode')}
        autoComplete="one-time-code"
        required
        withAsterisk={false}
        value={code}
        onChange={event => setCode(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

const TotpDisabled = () => {
  const t = useTranslate()
  const [pending, setPending] = useState<Schemas['NewTotp'] | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const invalidate = useInvalidateTotp()
  const [isConfirming, dialog] = useDisclosure(false)
  const [password, setPassword] = useState('')
  const startSetup = async () => {
    const { data } = await api.POST('/v1/auth/totp', { body: { password } })
    setPassword('')
    setPending(data!)
  }
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm">{t('account.factorText')}</Text>
      <Button onClick={dialog.open}>{t('account.factorSetUp')}</Button>
      <FormDialog
        opened={isConfirming}
        title={t('account.factorTitle')}
        text={t('account.factorPassword')}
        action={t('account.factorContinue')}
        onClose={dialog.close}
        onSubmit={startSetup}
      >
        <PasswordField label={t('account.password')} data-autofocus value={password} onChange={setPassword} />
      </FormDialog>
      <TotpSetup totp={pending} onClose={() => setPending(null)} onDone={setCodes} />
      <RecoveryCodes
        codes={codes}
        text={t('account.recoveryText')}
        onClose={() => {
          setCodes(null)
          void invalidate()
        }}
      />
    </Stack>
  )
}

const groupByFour = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret

const TotpSetup = ({
  totp,
  onClose,
  onDone,
}: {
  totp: Schemas['NewTotp'] | null
  onClose: () => void
  onDone: (codes: string[]) => void
}) => {
  const t = useTranslate()
  const [code, setCode] = useState('')
  const confirm = async () => {
    const { data } = await api.POST('/v1/auth/totp/confirm', { body: { code: code.replaceAll(/\s/g, '') } })
    setCode('')
    onDone(data!.recoveryCodes)
  }
  return (
    <FormDialog
      opened={totp !== null}
      title={t('account.factorTitle')}
      text={t('account.factorSteps')}
      action={t('account.factorConfirm')}
      onClose={onClose}
      onSubmit={confirm}
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
        label={t('account.factorCode')}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        withAsterisk={false}
        data-autofocus
        value={code}
        onChange={event => setCode(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

/** Recovery codes. They are shown only once, and the dialog closes only with its button. */
const RecoveryCodes = ({ codes, text, onClose }: { codes: string[] | null; text: string; onClose: () => void }) => {
  const t = useTranslate()
  return (
    <Modal
      opened={codes !== null}
      onClose={onClose}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={t('account.recoveryTitle')}
    >
      <Stack gap="md">
        <Text size="sm">{text}</Text>
        <ol className={styles.codes} aria-label={t('account.recovery')}>
          {codes?.map(code => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <Group justify="flex-end">
          <CopyButton value={codes?.join('\n') ?? ''}>
            {({ copied, copy }) => (
              <Button onClick={copy} data-autofocus>
                {copied ? t('id.copied') : t('account.recoveryCopy')}
              </Button>
            )}
          </CopyButton>
          <Button variant="default" onClick={onClose}>
            {t('account.recoveryDone')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
