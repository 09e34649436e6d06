import { Anchor, Button, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { selectWorkspace } from '../../api/workspace.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { PasswordField } from '../../ui/form/PasswordField.tsx'
import { useDraft } from '../../ui/hooks/draft.ts'
import { Card } from './Card.tsx'
import { InvalidLink } from './InvalidLink.tsx'
import { readLinkToken } from './token.ts'

/** Page of an invitation link. A person joins with a new account, with the signed-in account, or with a password. */
export const AcceptInvitation = () => {
  const t = useTranslate()
  const token = readLinkToken(useLocation().hash)
  const user = hooks.useQuery('get', '/v1/auth/user', {}, { retry: false, enabled: token !== '' })
  const [isByPassword, setIsByPassword] = useState(false)
  const [ticket, setTicket] = useState<string | null>(null)
  const openWorkspace = useOpenWorkspace()
  const onAccepted = (result: Schemas['SignedIn']) =>
    'ticket' in result ? setTicket(result.ticket) : openWorkspace(result)
  if (token === '') {
    return (
      <Card title={t('join.title')}>
        <InvalidLink />
      </Card>
    )
  }
  return (
    <Card title={t('join.title')}>
      {user.isPending ? (
        <Skeleton height={160} aria-busy="true" />
      ) : ticket !== null ? (
        <CodeForm ticket={ticket} onDone={openWorkspace} />
      ) : user.data && !isByPassword ? (
        <AcceptAsUser token={token} user={user.data} onDone={onAccepted} onOtherAccount={() => setIsByPassword(true)} />
      ) : (
        <PasswordForm token={token} onDone={onAccepted} />
      )}
    </Card>
  )
}

/** Opens the joined workspace and clears the cache of the previous session. */
const useOpenWorkspace = () => {
  const queries = useQueryClient()
  const router = useRouter()
  return ({ workspace }: Schemas['NewSession']) => {
    selectWorkspace(workspace.id)
    queries.clear()
    router.history.replace('/')
  }
}

const AcceptAsUser = ({
  token,
  user,
  onDone,
  onOtherAccount,
}: {
  token: string
  user: Schemas['User']
  onDone: (result: Schemas['SignedIn']) => void
  onOtherAccount: () => void
}) => {
  const t = useTranslate()
  const accept = hooks.useMutation('post', '/v1/auth/accept-invitation', { onSuccess: onDone })
  return (
    <Stack gap="sm">
      <Text size="sm">{t('join.signedIn', { email: user.email })}</Text>
      {accept.error && <Failure error={accept.error} />}
      <Button size="sm" loading={accept.isPending} onClick={() => accept.mutate({ body: { token } })}>
        {t('join.submit')}
      </Button>
      <Anchor component="button" type="button" size="sm" onClick={onOtherAccount} style={{ alignSelf: 'flex-start' }}>
        {t('join.other')}
      </Anchor>
    </Stack>
  )
}

const PasswordForm = ({ token, onDone }: { token: string; onDone: (result: Schemas['SignedIn']) => void }) => {
  const t = useTranslate()
  const [name, setName, clearName] = useDraft('join.name')
  const [password, setPassword] = useState('')
  const accept = hooks.useMutation('post', '/v1/auth/accept-invitation')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const result = await accept.mutateAsync({
      body: { token, password, ...(name.trim() && { name: name.trim() }) },
    })
    clearName()
    onDone(result)
  }
  return (
    <form onSubmit={event => void submit(event).catch(() => {})}>
      <Stack gap="md">
        <TextInput
          label={t('join.name')}
          autoComplete="name"
          maxLength={100}
          autoFocus
          value={name}
          onChange={event => setName(event.currentTarget.value)}
        />
        <PasswordField
          isNew
          label={t('signIn.password')}
          description={t('join.passwordHint')}
          value={password}
          onChange={setPassword}
        />
        {accept.error && <Failure error={accept.error} />}
        <Button type="submit" size="sm" loading={accept.isPending}>
          {t('join.submit')}
        </Button>
      </Stack>
    </form>
  )
}

const CodeForm = ({ ticket, onDone }: { ticket: string; onDone: (session: Schemas['NewSession']) => void }) => {
  const t = useTranslate()
  const [code, setCode] = useState('')
  const secondFactor = hooks.useMutation('post', '/v1/auth/sign-in/second-factor', { onSuccess: onDone })
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        secondFactor.mutate({ body: { ticket, code } })
      }}
    >
      <Stack gap="md">
        <TextInput
          label={t('signIn.code')}
          description={t('signIn.codeHint')}
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          autoFocus
          value={code}
          onChange={event => setCode(event.currentTarget.value)}
        />
        {secondFactor.error && <Failure error={secondFactor.error} />}
        <Button type="submit" size="sm" loading={secondFactor.isPending}>
          {t('join.submit')}
        </Button>
      </Stack>
    </form>
  )
}
