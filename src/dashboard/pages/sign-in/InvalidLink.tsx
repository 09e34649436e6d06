import { Stack, Text } from '@mantine/core'
import { useTranslate } from '../../texts/index.tsx'
import { BackToSignIn } from './Card.tsx'

/** Notice shown instead of a form when the link has no token. */
export const InvalidLink = () => {
  const t = useTranslate()
  return (
    <>
      <Stack gap="xs" role="alert">
        <Text fw={600}>{t('link.broken')}</Text>
        <Text size="sm">{t('link.brokenText')}</Text>
      </Stack>
      <BackToSignIn />
    </>
  )
}
