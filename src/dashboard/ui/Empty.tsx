import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** Empty state of a list: a description, and one action that adds the first item (`children`). */
export const Empty = ({ title, text, children }: { title: string; text?: string; children?: ReactNode }) => (
  <Stack gap="sm" align="flex-start" py="lg" maw={640}>
    <Title order={2}>{title}</Title>
    {text && <Text>{text}</Text>}
    {children}
  </Stack>
)
