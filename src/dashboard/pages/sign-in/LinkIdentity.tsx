import { Button, Stack, Text } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { CheckCircleIcon, KeyIcon } from '../../ui/icons.ts'
import { BackToSignIn, Card } from './Card.tsx'
import { InvalidLink } from './InvalidLink.tsx'
import { readLinkToken } from './token.ts'
import { useLink } from './useLink.ts'

/** Page of a mailed link that links single sign-on to the account, with a button, which mail scanners do not press. */
export const LinkIdentity = () => {
  const t = useTranslate()
  const token = readLinkToken(useLocation().hash)
  const link = useLink(token)
  const sso = hooks.useQuery('get', '/v1/auth/sso', {}, { retry: false })
  const confirm = hooks.useMutation('post', '/v1/auth/sso/confirm')
  return (
    <Card
      title={t('sso.linkTitle')}
      {...(link.data &&
        sso.data &&
        !confirm.isSuccess && {
          text: sso.data.provider
            ? t('sso.confirmText', { email: link.data.email, provider: sso.data.provider })
            : t('sso.confirmUnnamed', { email: link.data.email }),
        })}
      icon={confirm.isSuccess ? CheckCircleIcon : KeyIcon}
    >
      {token === '' ? (
        <InvalidLink />
      ) : confirm.isSuccess ? (
        <>
          <Text role="status" size="sm">
            {t('sso.confirmed')}
          </Text>
          <Button size="sm" renderRoot={(props: object) => <Link {...props} to="/sign-in" />}>
            {t('signIn.title')}
          </Button>
        </>
      ) : (
        <Stack gap="md">
          {link.error && <Failure error={link.error} retry={() => void link.refetch()} />}
          {confirm.error && <Failure error={confirm.error} />}
          <Button size="sm" loading={confirm.isPending} onClick={() => confirm.mutate({ body: { token } })}>
            {t('sso.linkTitle')}
          </Button>
          <BackToSignIn />
        </Stack>
      )}
    </Card>
  )
}
