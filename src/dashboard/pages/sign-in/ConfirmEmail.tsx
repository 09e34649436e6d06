import { Button, Stack, Text } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { CheckCircleIcon } from '../../ui/icons.ts'
import { EnvelopeIcon } from '../../ui/page-icons.ts'
import { Card } from './Card.tsx'
import { InvalidLink } from './InvalidLink.tsx'
import { readLinkToken } from './token.ts'
import { useLink } from './useLink.ts'

/** Page that confirms an email address with a button. Mail scanners open links, but they do not press buttons. */
export const ConfirmEmail = () => {
  const t = useTranslate()
  const token = readLinkToken(useLocation().hash)
  const link = useLink(token)
  const confirm = hooks.useMutation('post', '/v1/auth/confirm-email')
  return (
    <Card
      title={t(confirm.isSuccess ? 'confirmEmail.doneTitle' : 'confirmEmail.title')}
      {...(link.data && !confirm.isSuccess && { text: t('confirmEmail.text', { email: link.data.email }) })}
      icon={confirm.isSuccess ? CheckCircleIcon : EnvelopeIcon}
    >
      {token === '' ? (
        <InvalidLink />
      ) : confirm.isSuccess ? (
        <>
          <Text role="status" size="sm">
            {t('confirmEmail.done')}
          </Text>
          <Button size="sm" renderRoot={(props: object) => <Link {...props} to="/" />}>
            {t('confirmEmail.continue')}
          </Button>
        </>
      ) : (
        <Stack gap="md">
          {link.error && <Failure error={link.error} retry={() => void link.refetch()} />}
          {confirm.error && <Failure error={confirm.error} />}
          <Button size="sm" loading={confirm.isPending} onClick={() => confirm.mutate({ body: { token } })}>
            {t('confirmEmail.submit')}
          </Button>
        </Stack>
      )}
    </Card>
  )
}
