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

/** Fewer than so many and it is worth thinking of new ones. */
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
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const remove = async () => {
    await api.DELETE('/v1/auth/totp', { body: { password, code: code.trim() } })
    setPassword('')
    setCode('')
    tell(say('account.factorRemoved'))
    void anew()
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
      <Button variant="default" onClick={dialog.open}>
        {say('account.factorRemove')}
      </Button>
      <FormDialog
        opened={asking}
        title={say('account.factorRemove')}
        text={say('account.factorRemoveText')}
        action={say('account.factorRemove')}
        danger
        onClose={dialog.close}
        onSubmit={remove}
      >
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
    </Stack>
  )
}

const Off = () => {
  const say = useTexts()
  const [pending, setPending] = useState<Schemas['NewTotp'] | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const anew = useTotpAnew()
  const begin = hooks.useMutation('post', '/v1/auth/totp', { onSuccess: setPending })
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm">{say('account.factorText')}</Text>
      {begin.error && <Failure of={begin.error} />}
      <Button loading={begin.isPending} onClick={() => begin.mutate({})}>
        {say('account.factorSetUp')}
      </Button>
      <SetUp totp={pending} onClose={() => setPending(null)} onDone={setCodes} />
      <RecoveryCodes
        codes={codes}
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

/** Shown once, and closed only on purpose. */
const RecoveryCodes = ({ codes, onClose }: { codes: string[] | null; onClose: () => void }) => {
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
        <Text size="sm">{say('account.recoveryText')}</Text>
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
