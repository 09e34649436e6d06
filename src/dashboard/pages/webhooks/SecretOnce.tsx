import { Anchor, Stack, Text } from '@mantine/core'
import { useTexts } from '../../texts/index.tsx'
import { Samples, ShownOnce } from '../../ui/ShownOnce.tsx'
import { receiversPath, useReceivers } from './receivers.ts'

/** Secret of an endpoint, shown only once, with receiver code that verifies signatures. */
export const SecretOnce = ({
  title,
  secret,
  text,
  onDone,
}: {
  title: string
  secret: string
  text?: string
  onDone: () => void
}) => {
  const say = useTexts()
  const receivers = useReceivers(secret)
  return (
    <ShownOnce title={title} label={say('webhooks.secret')} value={secret} onDone={onDone}>
      <Stack gap="xs">
        {text && <Text size="sm">{text}</Text>}
        <Text size="sm">
          {say('webhooks.secretUse')}{' '}
          <Anchor href={receiversPath} underline="always" target="_blank" rel="noreferrer">
            {say('webhooks.receivers')}
          </Anchor>
        </Text>
        {receivers.length > 0 && <Samples title={say('webhooks.receivers')} of={receivers} />}
      </Stack>
    </ShownOnce>
  )
}
