import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../texts/index.tsx'

/** Notice shown instead of a form when the link has no token. */
export const BrokenLink = () => {
  const say = useTexts()
  return (
    <>
      <Stack gap="xs" role="alert">
        <Text fw={600}>{say('link.broken')}</Text>
        <Text size="sm">{say('link.brokenText')}</Text>
      </Stack>
      <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/sign-in" />}>
        {say('forgot.back')}
      </Anchor>
    </>
  )
}
