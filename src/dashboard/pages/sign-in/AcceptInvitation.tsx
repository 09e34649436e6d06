import { Anchor, Button, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { chooseWorkspace } from '../../api/workspace.ts'
import { useTexts } from '../../texts/index.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Failure } from '../../ui/Failure.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { BrokenLink } from './BrokenLink.tsx'
import { Card } from './Card.tsx'
import { tokenOfLink } from './token.ts'

/** Page of an invitation link. A person joins with a new account, with the signed-in account, or with a password. */
export const AcceptInvitation = () => {
  const say = useTexts()
  const token = tokenOfLink(useLocation().hash)
  const user = hooks.useQuery('get', '/v1/auth/user', {}, { retry: false, enabled: token !== '' })
  const [byPassword, setByPassword] = useState(false)
  const [ticket, setTicket] = useState<string | null>(null)
  const enter = useEnter()
  const took = (answer: Schemas['SignedIn']) => ('ticket' in answer ? setTicket(answer.ticket) : enter(answer))
  if (token === '') {
    return (
      <Card title={say('join.title')}>
        <BrokenLink />
      </Card>
    )
  }
  return (
    <Card title={say('join.title')}>
      {user.isPending ? (
        <Skeleton height={160} aria-busy="true" />
      ) : ticket !== null ? (
        <WithCode ticket={ticket} onDone={enter} />
      ) : user.data && !byPassword ? (
        <AsMyself token={token} user={user.data} onDone={took} onOther={() => setByPassword(true)} />
      ) : (
        <WithPassword token={token} onDone={took} />
      )}
    </Card>
  )
}

/** Opens the joined workspace and clears the cache of the previous session. */
const useEnter = () => {
  const queries = useQueryClient()
  const router = useRouter()
  return ({ workspace }: Schemas['NewSession']) => {
    chooseWorkspace(workspace.id)
    queries.clear()
    router.history.replace('/')
  }
}

const AsMyself = ({
  token,
  user,
  onDone,
  onOther,
}: {
  token: string
  user: Schemas['User']
  onDone: (answer: Schemas['SignedIn']) => void
  onOther: () => void
}) => {
  const say = useTexts()
  const accept = hooks.useMutation('post', '/v1/auth/accept-invitation', { onSuccess: onDone })
  return (
    <Stack gap="sm">
      <Text size="sm">{say('join.signedIn', { email: user.email })}</Text>
      {accept.error && <Failure of={accept.error} />}
      <Button size="sm" loading={accept.isPending} onClick={() => accept.mutate({ body: { token } })}>
        {say('join.submit')}
      </Button>
      <Anchor component="button" type="button" size="sm" onClick={onOther} style={{ alignSelf: 'flex-start' }}>
        {say('join.other')}
      </Anchor>
    </Stack>
  )
}

const WithPassword = ({ token, onDone }: { token: string; onDone: (answer: Schemas['SignedIn']) => void }) => {
  const say = useTexts()
  const [name, setName, clearName] = useDraft('join.name')
  const [password, setPassword] = useState('')
  const accept = hooks.useMutation('post', '/v1/auth/accept-invitation')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const answer = await accept.mutateAsync({
      body: { token, password, ...(name.trim() && { name: name.trim() }) },
    })
    clearName()
    onDone(answer)
  }
  return (
    <form onSubmit={event => void submit(event).catch(() => {})}>
      <Stack gap="md">
        <TextInput
          label={say('join.name')}
          autoComplete="name"
          maxLength={100}
          autoFocus
          value={name}
          onChange={event => setName(event.currentTarget.value)}
        />
        <PasswordField
          fresh
          label={say('signIn.password')}
          description={say('join.passwordHint')}
          value={password}
          onChange={setPassword}
        />
        {accept.error && <Failure of={accept.error} />}
        <Button type="submit" size="sm" loading={accept.isPending}>
          {say('join.submit')}
        </Button>
      </Stack>
    </form>
  )
}

const WithCode = ({ ticket, onDone }: { ticket: string; onDone: (session: Schemas['NewSession']) => void }) => {
  const say = useTexts()
  const [code, setCode] = useState('')
  const second = hooks.useMutation('post', '/v1/auth/sign-in/second-factor', { onSuccess: onDone })
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        second.mutate({ body: { ticket, code } })
      }}
    >
      <Stack gap="md">
        <TextInput
          label={say('signIn.code')}
          description={say('signIn.codeHint')}
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          autoFocus
          value={code}
          onChange={event => setCode(event.currentTarget.value)}
        />
        {second.error && <Failure of={second.error} />}
        <Button type="submit" size="sm" loading={second.isPending}>
          {say('join.submit')}
        </Button>
      </Stack>
    </form>
  )
}
