import { Group, Text, Title } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useTranslate } from '../texts/index.tsx'
import { setPageTitle } from './hooks/title.ts'
import { ChevronRightIcon } from './icons.ts'
import styles from './ui.module.css'

/** Link to a page above the current one. */
export interface Crumb {
  label: string
  link: LinkProps
}

/** Layout of a page: the way back, the title, one sentence of description, the actions and the content. */
export const Page = ({
  title,
  text,
  crumbs = [],
  lead,
  status,
  actions,
  readOnly = false,
  children,
}: {
  title: string
  text?: string | undefined
  /** Pages above this one, from the top. */
  crumbs?: readonly Crumb[]
  /** Picture beside the title and the way back. */
  lead?: ReactNode
  /** Status beside the title. */
  status?: ReactNode
  actions?: ReactNode
  /** Shows a notice that the person can view the page but not change anything. */
  readOnly?: boolean
  children: ReactNode
}) => {
  const t = useTranslate()
  useEffect(() => {
    setPageTitle(`${title} · ${t('app.name')}`)
  }, [title, t])
  return (
    <div className={styles.page}>
      <Group className={styles.pageHead} justify="space-between" align="flex-start" wrap="wrap">
        <div className={styles.titles}>
          {lead}
          <div>
            {crumbs.length > 0 && <Breadcrumbs crumbs={crumbs} />}
            <Group gap="sm" wrap="wrap">
              <Title order={1}>{title}</Title>
              {status}
            </Group>
            {text && (
              <Text size="sm" c="dimmed" className={styles.description!}>
                {text}
              </Text>
            )}
            {readOnly && <Text size="sm">{t('role.viewOnly')}</Text>}
          </div>
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

const Breadcrumbs = ({ crumbs }: { crumbs: readonly Crumb[] }) => {
  const t = useTranslate()
  return (
    <nav aria-label={t('nav.breadcrumbs')}>
      <ol className={styles.crumbs}>
        {crumbs.map(({ label, link }, index) => (
          <li key={label}>
            {index > 0 && <ChevronRightIcon width={10} aria-hidden="true" />}
            <Link {...link}>
              <bdi>{label}</bdi>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** Scrollable content of a page that is not a list. */
export const Body = ({ children }: { children: ReactNode }) => <div className={styles.body}>{children}</div>
