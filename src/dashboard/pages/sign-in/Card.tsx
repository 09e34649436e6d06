import { Anchor, Paper, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, type SVGProps, useEffect } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { ArrowLeftIcon } from '../../ui/page-icons.ts'
import type { Tone } from '../../ui/Status.tsx'
import { Showcase } from './Showcase.tsx'
import styles from './sign-in.module.css'

/**
 * Layout of a page for a person who is not signed in. `text` explains the page in one sentence.
 */
export const Card = ({
  title,
  text,
  icon: Icon,
  tone,
  children,
}: {
  title: string
  text?: string
  icon?: ComponentType<SVGProps<SVGSVGElement>>
  /** Color of the icon. Defaults to the accent. */
  tone?: Tone | undefined
  children: ReactNode
}) => {
  const t = useTranslate()
  useEffect(() => {
    document.title = `${title} · ${t('app.name')}`
  }, [title, t])
  return (
    <div className={styles.page}>
      <div className={styles.side}>
        <header className={styles.head}>
          <Logo />
          <a href="/docs">{t('nav.docs')}</a>
        </header>
        <main className={styles.main}>
          <Paper className={styles.card}>
            <Stack gap="md">
              <div className={styles.title}>
                {Icon && (
                  <span className={styles.icon} data-tone={tone} aria-hidden="true">
                    <Icon width={22} />
                  </span>
                )}
                <Title order={1}>{title}</Title>
                {text && (
                  <Text size="sm" c="dimmed">
                    {text}
                  </Text>
                )}
              </div>
              {children}
            </Stack>
          </Paper>
        </main>
      </div>
      <Showcase />
    </div>
  )
}

/** Link back to the sign-in page. */
export const BackToSignIn = () => {
  const t = useTranslate()
  return (
    <Anchor size="sm" className={styles.back} renderRoot={(props: object) => <Link {...props} to="/sign-in" />}>
      <ArrowLeftIcon width={14} aria-hidden="true" />
      {t('forgot.back')}
    </Anchor>
  )
}
