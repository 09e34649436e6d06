import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslate } from '../texts/index.tsx'
import { Body, Page } from '../ui/Page.tsx'

export const NotFound = () => {
  const t = useTranslate()
  return (
    <Page title={t('notFound.title')}>
      <Body>
        <Text size="sm" mb="md">
          {t('notFound.text')}
        </Text>
        <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/" />}>
          {t('notFound.back')}
        </Anchor>
      </Body>
    </Page>
  )
}
