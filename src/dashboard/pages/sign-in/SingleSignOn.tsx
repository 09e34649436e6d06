import { Anchor, Button, Stack, Text } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Failure as ApiFailure, api, hooks, type Schemas } from '../../api/client.ts'
import { SignInForm } from '../../shell/SignInForm.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { PasswordField } from '../../ui/form/PasswordField.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { ExclamationTriangleIcon, KeyIcon } from '../../ui/icons.ts'
import { BackToSignIn, Card } from './Card.tsx'
import { takeTarget } from './local-path.ts'
import { SsoForm } from './SsoButton.tsx'

/** Page to which the identity provider redirects. It completes the sign-in, or asks to link the account once. */
export const SingleSignOn = () => {
  const t = useTranslate()
  const queries = useQueryClient()
  const router = useRouter()
  const [ticket, setTicket] = useState<string | null>(null)
  const [link, setLink] = useState<Schemas['SsoLinkWanted'] | null>(null)
  const onSignedIn = () => {
    queries.clear()
    router.history.replace(takeTarget())
  }
  const onResult = (result: Schemas['SsoResult']) => {
    if ('link' in result) setLink(result)
    else if ('secondFactor' in result) setTicket(result.ticket)
    else onSignedIn()
  }
  // The parameters are valid once, except after a 503. They are read before the address changes, so that a reload does
  // not send them again.
  const [parameters] = useState(() => new URLSearchParams(location.search))
  const complete = hooks.useMutation('post', '/v1/auth/sso/callback', { onSuccess: onResult })
  const isSent = useRef(false)
  useEffect(() => {
    const [code, state, iss] = ['code', 'state', 'iss'].map(name => parameters.get(name))
    if (isSent.current || !code || !state) return
    isSent.current = true
    history.replaceState(history.state, '', location.pathname)
    complete.mutate({ body: { code, state, ...(iss && { iss }) } })
  }, [complete.mutate, parameters])
  const failure: unknown = complete.error
  const canRetry = failure instanceof ApiFailure && failure.status === 503
  const isDenied = !parameters.get('code') || !parameters.get('state')
  const hasFailed = ticket === null && !link && (isDenied || complete.error !== null)
  return (
    <Card
      title={t(link ? 'sso.linkTitle' : hasFailed ? 'sso.failed' : 'sso.title')}
      icon={hasFailed ? ExclamationTriangleIcon : KeyIcon}
      tone={hasFailed ? 'failed' : undefined}
    >
      {ticket !== null ? (
        <SignInForm ticket={ticket} onSignedIn={onSignedIn} />
      ) : link ? (
        <LinkForm link={link} onResult={onResult} />
      ) : hasFailed ? (
        <Stack gap="md">
          {complete.error ? (
            <Failure error={failure} retry={canRetry ? () => complete.mutate(complete.variables!) : undefined} />
          ) : (
            <Text role="alert" size="sm">
              {t('sso.denied')}
            </Text>
          )}
          {!canRetry && <SsoForm label={t('failure.again')} variant="filled" />}
          <BackToSignIn />
        </Stack>
      ) : (
        <Text role="status">{t('sso.working')}</Text>
      )}
    </Card>
  )
}

/** Form with which the holder of the account agrees to the link: by the password, or by a mailed link. */
const LinkForm = ({
  link: { ticket, email, mail },
  onResult,
}: {
  link: Schemas['SsoLinkWanted']
  onResult: (result: Schemas['SignedIn']) => void
}) => {
  const t = useTranslate()
  const { form, submit, busy, failure } = useApiForm({
    draft: null,
    initial: { password: '' },
    validate: { password: isNotEmpty(t('signIn.passwordMissing')) },
    onSubmit: async ({ password }) => {
      const { data } = await api.POST('/v1/auth/sso/link', { body: { ticket, password } })
      onResult(data!)
    },
  })
  const mailLink = hooks.useMutation('post', '/v1/auth/sso/link-mail')
  if (mailLink.isSuccess) return <Text role="status">{t('sso.linkMailed', { email })}</Text>
  return (
    <form onSubmit={submit} noValidate aria-label={t('sso.linkTitle')}>
      <Stack gap="md">
        <Text size="sm">{t('sso.linkText', { email })}</Text>
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField {...form.getInputProps('password')} label={t('signIn.password')} autoFocus />
        {failure !== null && <Failure error={failure} />}
        {mailLink.error && <Failure error={mailLink.error} />}
        <Button type="submit" size="sm" loading={busy}>
          {t('sso.linkSubmit')}
        </Button>
        {mail && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            style={{ alignSelf: 'flex-start' }}
            onClick={() => mailLink.mutate({ body: { ticket } })}
          >
            {t('sso.linkMail')}
          </Anchor>
        )}
      </Stack>
    </form>
  )
}
