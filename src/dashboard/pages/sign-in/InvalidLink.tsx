import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslate } from '../../texts/index.tsx'

/** Notice shown instead of a form when the link has no token. */
export const InvalidLink = () => {
  const t = useTranslate()
  return (
    <>
      <Stack gap="xs" role="alert">
        <Text fw={600}>{t('link.broken')}</Text>
        <Text size="sm">{t('link.brokenText')}</Text>
      </Stack>
      <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/sign-in" />}>
        {t('forgot.back')}
      </Anchor>
    </>
  )
}
