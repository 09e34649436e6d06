import { Anchor, Button, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { selectWorkspace } from '../../api/workspace.ts'
import { CodeForm } from '../../shell/SignInForm.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { PasswordField } from '../../ui/form/PasswordField.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { UserPlusIcon } from '../../ui/page-icons.ts'
import { Card } from './Card.tsx'
import { InvalidLink } from './InvalidLink.tsx'
import { readLinkToken } from './token.ts'
import { useLink } from './useLink.ts'

/** Page of an invitation link. A person joins with a new account, with the signed-in account, or with a password. */
export const AcceptInvitation = () => {
  const t = useTranslate()
  const token = readLinkToken(useLocation().hash)
  const link = useLink(token)
  const user = hooks.useQuery('get', '/v1/auth/user', {}, { retry: false, enabled: token !== '' })
  const [isByPassword, setIsByPassword] = useState(false)
  const [ticket, setTicket] = useState<string | null>(null)
  const openWorkspace = useOpenWorkspace()
  const onAccepted = (result: Schemas['SignedIn']) =>
    'ticket' in result ? setTicket(result.ticket) : openWorkspace(result)
  if (token === '') {
    return (
      <Card title={t('join.title')} icon={UserPlusIcon}>
        <InvalidLink />
      </Card>
    )
  }
  return (
    <Card
      title={link.data?.workspace ? t('join.titleOf', { workspace: link.data.workspace }) : t('join.title')}
      text={link.data && t('join.text', { email: link.data.email })}
      icon={UserPlusIcon}
    >
      {link.error ? (
        <Failure error={link.error} retry={() => void link.refetch()} />
      ) : user.isPending || link.isPending ? (
        <Skeleton height={160} aria-busy="true" />
      ) : ticket !== null ? (
        <CodeForm
          label={t('join.submit')}
          onSubmit={async code => {
            const { data } = await api.POST('/v1/auth/sign-in/second-factor', { body: { ticket, code } })
            openWorkspace(data!)
          }}
        />
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
  const { form, submit, busy, failure } = useApiForm({
    draft: null,
    initial: { name: '', password: '' },
    validate: { password: isNotEmpty(t('signIn.passwordMissing')) },
    onSubmit: async ({ name, password }) => {
      const body = { token, password, ...(name.trim() && { name: name.trim() }) }
      const { data } = await api.POST('/v1/auth/accept-invitation', { body })
      onDone(data!)
    },
  })
  return (
    <form onSubmit={submit} noValidate aria-label={t('join.title')}>
      <Stack gap="md">
        <TextInput
          {...form.getInputProps('name')}
          label={t('join.name')}
          autoComplete="name"
          maxLength={100}
          autoFocus
        />
        <PasswordField
          {...form.getInputProps('password')}
          isNew
          label={t('signIn.password')}
          description={t('join.passwordHint')}
        />
        {failure !== null && <Failure error={failure} />}
        <Button type="submit" size="sm" loading={busy}>
          {t('join.submit')}
        </Button>
      </Stack>
    </form>
  )
}
