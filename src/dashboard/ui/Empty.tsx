import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import type { ComponentType, ReactNode, SVGProps } from 'react'
import { useTranslate } from '../texts/index.tsx'
import { BookOpenIcon, InboxIcon } from './icons.ts'
import styles from './states.module.css'

/**
 * Empty state of a list: an icon, what will appear here, the next action (`children`), an example, and a page of the
 * documentation.
 */
export const Empty = ({
  title,
  text,
  icon: Icon = InboxIcon,
  docs,
  example,
  below,
  children,
}: {
  title: string
  text?: ReactNode
  icon?: ComponentType<SVGProps<SVGSVGElement>>
  /** Path of a page of the documentation, such as `/docs/webhooks`. */
  docs?: string
  /** Example of the content. */
  example?: ReactNode
  /** Other content below the actions, such as ways to begin. */
  below?: ReactNode
  children?: ReactNode
}) => {
  const t = useTranslate()
  return (
    <Stack className={styles.empty} gap="sm" align="center">
      <span className={styles.emptyIcon} aria-hidden="true">
        <Icon width={24} />
      </span>
      <Title order={2}>{title}</Title>
      {text && <Text c="dimmed">{text}</Text>}
      {(children || docs) && (
        <Group gap="md" justify="center" component="div" mt="sm">
          {children}
          {docs && (
            <Anchor size="sm" href={docs} className={styles.docsLink}>
              <BookOpenIcon width={16} aria-hidden="true" />
              {t('empty.docs')}
            </Anchor>
          )}
        </Group>
      )}
      {example && (
        <div className={styles.emptyExample}>
          <Text size="xs" c="dimmed" ta="center" mb={4}>
            {t('empty.example')}
          </Text>
          {example}
        </div>
      )}
      {below && <div className={styles.emptyBelow}>{below}</div>}
    </Stack>
  )
}

/** Example of a row, shown by an empty list. */
export const ExampleRow = ({
  lead,
  title,
  text,
  aside,
}: {
  /** Avatar or icon. */
  lead: ReactNode
  title: string
  text: string
  aside: ReactNode
}) => (
  <div className={styles.exampleRow}>
    {lead}
    <span>
      <strong>{title}</strong>
      <span>{text}</span>
    </span>
    <span className="tabular">{aside}</span>
  </div>
)
