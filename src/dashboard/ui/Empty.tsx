import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ComponentType, ReactNode, SVGProps } from 'react'
import { useTranslate } from '../texts/index.tsx'
import { lowerFirst } from './formats.ts'
import { BookOpenIcon, InboxIcon } from './icons.ts'
import { LockClosedIcon } from './page-icons.ts'
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

/** Takes the place of what only owners can use. Links to the list that everybody can read, if there is one. */
export const OwnersOnly = ({ what, list }: { what: string; list?: LinkProps }) => {
  const t = useTranslate()
  return (
    <Empty icon={LockClosedIcon} title={t('role.ownersOnly', { what: lowerFirst(what) })}>
      {list && (
        <Anchor size="sm" renderRoot={(props: object) => <Link {...props} {...list} />}>
          {t('failure.list', { list: what })}
        </Anchor>
      )}
    </Empty>
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
