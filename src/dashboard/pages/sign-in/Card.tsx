import { Center, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useTexts } from '../../texts/index.tsx'

/** Layout of a page for a person who is not signed in. */
export const Card = ({ title, children }: { title: string; children: ReactNode }) => {
  const say = useTexts()
  useEffect(() => {
    document.title = `${title} · ${say('app.name')}`
  }, [title, say])
  return (
    <Center component="main" mih="100%" p="md">
      <Stack w="100%" maw={360} gap="md">
        <Text fw={600}>{say('app.name')}</Text>
        <Title order={1}>{title}</Title>
        {children}
      </Stack>
    </Center>
  )
}
