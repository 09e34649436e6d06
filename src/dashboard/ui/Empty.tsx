import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** What will be here, and the one thing that fills it (`children`). */
export const Empty = ({ title, text, children }: { title: string; text?: string; children?: ReactNode }) => (
  <Stack gap="sm" align="flex-start" py="lg" maw={640}>
    <Title order={2}>{title}</Title>
    {text && <Text>{text}</Text>}
    {children}
  </Stack>
)
