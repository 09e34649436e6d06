import { Center, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useTranslate } from '../../texts/index.tsx'

/** Layout of a page for a person who is not signed in. */
export const Card = ({ title, children }: { title: string; children: ReactNode }) => {
  const t = useTranslate()
  useEffect(() => {
    document.title = `${title} · ${t('app.name')}`
  }, [title, t])
  return (
    <Center component="main" mih="100%" p="md">
      <Stack w="100%" maw={360} gap="md">
        <Text fw={600}>{t('app.name')}</Text>
        <Title order={1}>{title}</Title>
        {children}
      </Stack>
    </Center>
  )
}
