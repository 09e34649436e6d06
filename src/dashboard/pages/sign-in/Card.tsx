import { Center, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { Logo } from '../../ui/Logo.tsx'
import styles from './sign-in.module.css'

/** Layout of a page for a person who is not signed in. `text` explains the page in one sentence. */
export const Card = ({ title, text, children }: { title: string; text?: string; children: ReactNode }) => {
  const t = useTranslate()
  useEffect(() => {
    document.title = `${title} · ${t('app.name')}`
  }, [title, t])
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <Logo />
        <a href="/docs">{t('nav.docs')}</a>
      </header>
      <Center component="main" p="md" className={styles.main}>
        <Paper className={styles.card}>
          <Stack gap="md">
            <div>
              <Title order={1}>{title}</Title>
              {text && (
                <Text size="sm" c="dimmed" mt={4}>
                  {text}
                </Text>
              )}
            </div>
            {children}
          </Stack>
        </Paper>
      </Center>
    </div>
  )
}
