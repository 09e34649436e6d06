import { Anchor, Button, Stack, Text } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { BrokenLink } from './BrokenLink.tsx'
import { Card } from './Card.tsx'
import { tokenOfLink } from './token.ts'

/** Page that confirms an email address with a button. Mail scanners open links, but they do not press buttons. */
export const ConfirmEmail = () => {
  const say = useTexts()
  const token = tokenOfLink(useLocation().hash)
  const confirm = hooks.useMutation('post', '/v1/auth/confirm-email')
  return (
    <Card title={say('confirmEmail.title')}>
      {token === '' ? (
        <BrokenLink />
      ) : confirm.isSuccess ? (
        <>
          <Text role="status">{say('confirmEmail.done')}</Text>
          <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/" />}>
            {say('confirmEmail.goOn')}
          </Anchor>
        </>
      ) : (
        <Stack gap="sm">
          <Text size="sm">{say('confirmEmail.text')}</Text>
          {confirm.error && <Failure of={confirm.error} />}
          <Button size="sm" loading={confirm.isPending} onClick={() => confirm.mutate({ body: { token } })}>
            {say('confirmEmail.submit')}
          </Button>
        </Stack>
      )}
    </Card>
  )
}
