import { Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useTranslate } from '../texts/index.tsx'
import styles from './ui.module.css'

/** Layout of a page: the title, one sentence of description, the actions and the content. */
export const Page = ({
  title,
  text,
  actions,
  readOnly = false,
  children,
}: {
  title: string
  text?: string
  actions?: ReactNode
  /** Shows a notice that the person can view the page but not change anything. */
  readOnly?: boolean
  children: ReactNode
}) => {
  const t = useTranslate()
  useEffect(() => {
    document.title = `${title} · ${t('app.name')}`
  }, [title, t])
  return (
    <div className={styles.page}>
      <Group className={styles.pageHead} justify="space-between" align="flex-start" wrap="wrap">
        <div>
          <Title order={1}>{title}</Title>
          {text && (
            <Text size="sm" c="dimmed">
              {text}
            </Text>
          )}
          {readOnly && <Text size="sm">{t('role.viewOnly')}</Text>}
        </div>
        {actions && (
          <Group gap="sm" mih={30}>
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </div>
  )
}

/** Scrollable content of a page that is not a list. */
export const Body = ({ children }: { children: ReactNode }) => <div className={styles.body}>{children}</div>
