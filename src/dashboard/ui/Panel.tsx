import { CloseButton, Group, Text, Title } from '@mantine/core'
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import { useTranslate } from '../texts/index.tsx'
import { setTitlePart } from './hooks/title.ts'
import { useEscape } from './hooks/useEscape.ts'
import { usePhone } from './hooks/usePhone.ts'
import styles from './ui.module.css'

/** Heading level of a section: one below the title of the page or of the panel. */
const HeadingLevel = createContext<2 | 3>(2)

/** Side panel of a list, with its own address. On a phone it fills the page. Esc closes it. */
export const Panel = ({
  title,
  actions,
  wide = false,
  nested = false,
  onClose,
  children,
}: {
  title: ReactNode
  actions?: ReactNode
  /** Whether the content has two columns. */
  wide?: boolean
  /** The panel opens within a part of a page whose title stays visible, also on a phone. */
  nested?: boolean
  onClose: () => void
  children: ReactNode
}) => {
  const t = useTranslate()
  const isPage = usePhone() && !nested
  const heading = useRef<HTMLHeadingElement>(null)
  useEscape(onClose)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  // The title can have elements. The effect follows each change of them.
  useEffect(() => {
    setTitlePart(heading.current!.textContent.replace(/\s+/g, ' '))
    return () => setTitlePart('')
  })
  return (
    <aside
      className={styles.panel}
      data-wide={wide || undefined}
      data-nested={nested || undefined}
      aria-labelledby="panel-title"
    >
      <Group className={styles.panelHead} justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={isPage ? 1 : 2} id="panel-title" ref={heading} tabIndex={-1} className={styles.panelTitle}>
          {title}
        </Title>
        <Group gap="xs" wrap="nowrap">
          {actions}
          <CloseButton aria-label={t('panel.close')} onClick={onClose} />
        </Group>
      </Group>
      <div className={styles.panelBody}>
        <HeadingLevel.Provider value={isPage ? 2 : 3}>{children}</HeadingLevel.Provider>
      </div>
    </aside>
  )
}

/** Title of a panel with the status of its record. */
export const PanelTitle = ({ status, children }: { status: ReactNode; children: ReactNode }) => (
  <>
    {children}&ensp;
    <Text span inherit fw={500}>
      {status}
    </Text>
  </>
)

/** Line below the title of a panel: the customer, the age and other short facts of the record. */
export const PanelLead = ({ children }: { children: ReactNode }) => <div className={styles.panelLead}>{children}</div>

/** Section of a page or a panel with its own small heading. */
export const Section = ({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) => (
  <section className={styles.section}>
    <Group justify="space-between" mb="sm">
      <Title order={useContext(HeadingLevel)} size="h3">
        {title}
      </Title>
      {actions}
    </Group>
    {children}
  </section>
)

/** List of names and values. Values that are null, undefined or false are omitted. */
export const Facts = ({ items }: { items: Record<string, ReactNode> }) => (
  <dl className={styles.facts}>
    {Object.entries(items)
      .filter(([, value]) => value !== null && value !== undefined && value !== false)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
