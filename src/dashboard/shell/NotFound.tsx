import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../texts/index.tsx'
import { Body, Page } from '../ui/Page.tsx'

export const NotFound = () => {
  const say = useTexts()
  return (
    <Page title={say('notFound.title')}>
      <Body>
        <Text size="sm" mb="md">
          {say('notFound.text')}
        </Text>
        <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/" />}>
          {say('notFound.back')}
        </Anchor>
      </Body>
    </Page>
  )
}
