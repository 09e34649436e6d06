import { Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './ui.module.css'

/** Raised area of a page, for a chart or a group of settings. */
export const Card = ({ title, actions, children }: { title?: string; actions?: ReactNode; children: ReactNode }) => (
  <section className={styles.card} aria-label={title}>
    {title && (
      <Group justify="space-between" mb="sm" mih={26}>
        <Title order={2} size="h3">
          {title}
        </Title>
        {actions}
      </Group>
    )}
    {children}
  </section>
)
