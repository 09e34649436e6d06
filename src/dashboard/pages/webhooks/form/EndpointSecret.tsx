import { Anchor, Stack, Text } from '@mantine/core'
import { useTranslate } from '../../../texts/index.tsx'
import { OneTimeSecret, Samples } from '../../../ui/form/OneTimeSecret.tsx'
import { receiversPath, useReceivers } from './receivers.ts'

/** Secret of an endpoint, shown only once, with receiver code that verifies signatures. */
export const EndpointSecret = ({
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
  const t = useTranslate()
  const receivers = useReceivers(secret)
  return (
    <OneTimeSecret title={title} label={t('webhooks.secret')} value={secret} onDone={onDone}>
      <Stack gap="xs">
        {text && <Text size="sm">{text}</Text>}
        <Text size="sm">
          {t('webhooks.secretUse')}{' '}
          <Anchor href={receiversPath} underline="always" target="_blank" rel="noreferrer">
            {t('webhooks.receivers')}
          </Anchor>
        </Text>
        {receivers.length > 0 && <Samples title={t('webhooks.receivers')} samples={receivers} />}
      </Stack>
    </OneTimeSecret>
  )
}
