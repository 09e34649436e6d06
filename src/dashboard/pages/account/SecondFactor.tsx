import { Anchor, Button, CopyButton, Group, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Facts, Section } from '../../ui/Panel.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { useTell } from '../../ui/told.tsx'
import styles from './account.module.css'
import { QrCode } from './QrCode.tsx'

/** With fewer recovery codes than this, the page suggests new ones. */
const few = 3

export const SecondFactor = () => {
  const say = useTexts()
  const query = hooks.useQuery('get', '/v1/auth/totp')
  const totp = query.data
  return (
    <Section
      title={say('account.factor')}
      actions={
        totp && (
          <Status tone={totp.enabled ? 'done' : 'off'}>
            {say(totp.enabled ? 'account.factorOn' : 'account.factorOff')}
          </Status>
        )
      }
    >
      {query.error && !totp && <Failure of={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={56} />}
      {totp && (totp.enabled ? <On totp={totp} /> : <Off />)}
    </Section>
  )
}

const useTotpAnew = () => {
  const queries = useQueryClient()
  return () =>
    queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[1] === '/v1/auth/totp' || queryKey[1] === '/v1/auth/sessions',
    })
}

const On = ({ totp }: { totp: Schemas['Totp'] }) => {
  const say = useTexts()
  const tell = useTell()
  const anew = useTotpAnew()
  const [asking, dialog] = useDisclosure(false)
  const [replacing, replaceDialog] = useDisclosure(false)
  const [codes, setCodes] = useState<string[] | null>(null)
  const remove = async (body: Schemas['RemoveTotp']) => {
    await api.DELETE('/v1/auth/totp', { body })
    tell(say('account.factorRemoved'))
    void anew()
  }
  const replace = async (body: Schemas['RenewRecoveryCodes']) => {
    const { data } = await api.POST('/v1/auth/totp/recovery-codes', { body })
    setCodes(data!.recoveryCodes)
  }
  const left = say('account.codesFew', { count: totp.recoveryCodesLeft })
  return (
    <Stack gap="sm" align="flex-start">
      <Facts
        of={{
          [say('account.factorSince')]: totp.since && <Time at={totp.since} exact />,
          [say('account.codesLeft')]: totp.recoveryCodesLeft < few ? <Status tone="care">{left}</Status> : left,
        }}
      />
      {totp.recoveryCodesLeft < few && (
        <Text size="sm" c="dimmed">
          {say('account.codesRenew')}
        </Text>
      )}
      <Group gap="sm">
        <Button variant="default" onClick={replaceDialog.open}>
          {say('account.codesReplace')}
        </Button>
        <Button variant="default" onClick={dialog.open}>
          {say('account.factorRemove')}
        </Button>
      </Group>
      <PasswordAndCode
        opened={replacing}
        title={say('account.codesReplace')}
        text={say('account.codesReplaceText')}
        onClose={replaceDialog.close}
        onSubmit={replace}
      />
      <PasswordAndCode
        opened={asking}
        title={say('account.factorRemove')}
        text={say('account.factorRemoveText')}
        danger
        onClose={dialog.close}
        onSubmit={remove}
      />
      <RecoveryCodes
        codes={codes}
        text={say('account.codesNew')}
        onClose={() => {
          setCodes(null)
          void anew()
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
  onSubmit: (given: { password: string; code: string }) => Promise<void>
}) => {
  const say = useTexts()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const submit = async () => {
    await onSubmit({ password, code: code.trim() })
    setPassword('')
    setCode('')
  }
  return (
    <FormDialog {...dialog} title={title} action={title} onSubmit={submit}>
      <PasswordField label={say('account.password')} data-autofocus value={password} onChange={setPassword} />
      <TextInput
        label={say('account.factorRemoveCode')}
        autoComplete="one-time-code"
        required
        withAsterisk={false}
        value={code}
        onChange={event => setCode(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

const Off = () => {
  const say = useTexts()
  const [pending, setPending] = useState<Schemas['NewTotp'] | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const anew = useTotpAnew()
  const [asking, dialog] = useDisclosure(false)
  const [password, setPassword] = useState('')
  const begin = async () => {
    const { data } = await api.POST('/v1/auth/totp', { body: { password } })
    setPassword('')
    setPending(data!)
  }
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm">{say('account.factorText')}</Text>
      <Button onClick={dialog.open}>{say('account.factorSetUp')}</Button>
      <FormDialog
        opened={asking}
        title={say('account.factorTitle')}
        text={say('account.factorPassword')}
        action={say('account.factorContinue')}
        onClose={dialog.close}
        onSubmit={begin}
      >
        <PasswordField label={say('account.password')} data-autofocus value={password} onChange={setPassword} />
      </FormDialog>
      <SetUp totp={pending} onClose={() => setPending(null)} onDone={setCodes} />
      <RecoveryCodes
        codes={codes}
        text={say('account.recoveryText')}
        onClose={() => {
          setCodes(null)
          void anew()
        }}
      />
    </Stack>
  )
}

const inFours = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret

const SetUp = ({
  totp,
  onClose,
  onDone,
}: {
  totp: Schemas['NewTotp'] | null
  onClose: () => void
  onDone: (codes: string[]) => void
}) => {
  const say = useTexts()
  const [code, setCode] = useState('')
  const confirm = async () => {
    const { data } = await api.POST('/v1/auth/totp/confirm', { body: { code: code.replaceAll(/\s/g, '') } })
    setCode('')
    onDone(data!.recoveryCodes)
  }
  return (
    <FormDialog
      opened={totp !== null}
      title={say('account.factorTitle')}
      text={say('account.factorSteps')}
      action={say('account.factorConfirm')}
      onClose={onClose}
      onSubmit={confirm}
    >
      {totp && (
        <Stack gap="sm" align="flex-start">
          <QrCode text={totp.uri} label={say('account.factorPicture')} />
          <div>
            <Text size="xs" c="dimmed">
              {say('account.factorKey')}
            </Text>
            <span className={styles.key}>{inFours(totp.secret)}</span>
          </div>
          <Anchor size="sm" href={totp.uri}>
            {say('account.factorOpen')}
          </Anchor>
        </Stack>
      )}
      <TextInput
        label={say('account.factorCode')}
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
  const say = useTexts()
  return (
    <Modal
      opened={codes !== null}
      onClose={onClose}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={say('account.recoveryTitle')}
    >
      <Stack gap="md">
        <Text size="sm">{text}</Text>
        <ol className={styles.codes} aria-label={say('account.recovery')}>
          {codes?.map(code => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <Group justify="flex-end">
          <CopyButton value={codes?.join('\n') ?? ''}>
            {({ copied, copy }) => (
              <Button onClick={copy} data-autofocus>
                {copied ? say('id.copied') : say('account.recoveryCopy')}
              </Button>
            )}
          </CopyButton>
          <Button variant="default" onClick={onClose}>
            {say('account.recoveryDone')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
