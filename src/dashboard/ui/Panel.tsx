import { CloseButton, Group, Title } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef } from 'react'
import { useTexts } from '../texts/index.tsx'
import styles from './ui.module.css'
import { usePhone } from './usePhone.ts'

/** Of a section's heading: below the title of the page, or below that of a panel. */
const Level = createContext<2 | 3>(2)

/** What a row opens: beside the list with an address of its own, the whole page on a phone. Esc closes. */
export const Panel = ({
  title,
  actions,
  wide = false,
  inside = false,
  onClose,
  children,
}: {
  title: ReactNode
  actions?: ReactNode
  /** For what stands side by side in it. */
  wide?: boolean
  /** Beside a part of a page whose title stays, on a phone too. */
  inside?: boolean
  onClose: () => void
  children: ReactNode
}) => {
  const say = useTexts()
  const isPage = usePhone() && !inside
  const heading = useRef<HTMLHeadingElement>(null)
  useHotkeys([['Escape', onClose]])
  useFocusWhileOpen(heading)
  return (
    <aside className={styles.panel} data-wide={wide || undefined} aria-labelledby="panel-title">
      <Group className={styles.panelHead} justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={isPage ? 1 : 2} id="panel-title" ref={heading} tabIndex={-1} className={styles.panelTitle}>
          {title}
        </Title>
        <Group gap="xs" wrap="nowrap">
          {actions}
          <CloseButton aria-label={say('panel.close')} onClick={onClose} />
        </Group>
      </Group>
      <div className={styles.panelBody}>
        <Level.Provider value={isPage ? 2 : 3}>{children}</Level.Provider>
      </div>
    </aside>
  )
}

/** Moves the focus to the heading, and back to what had it before once the panel is closed. */
const useFocusWhileOpen = (heading: RefObject<HTMLElement | null>): void => {
  const before = useRef<Element | null>(null)
  useEffect(() => {
    const { activeElement } = document
    if (activeElement !== heading.current) before.current = activeElement
    heading.current?.focus({ preventScroll: true })
    return () => {
      const back = before.current
      // Somebody who has moved the focus elsewhere meanwhile keeps it there.
      if (document.activeElement === document.body && back instanceof HTMLElement && back.isConnected)
        back.focus({ preventScroll: true })
    }
  }, [heading])
}

/** A part of a page or a panel under its own small heading. */
export const Section = ({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) => (
  <section className={styles.section}>
    <Group justify="space-between" mb="sm">
      <Title order={useContext(Level)} size="h3">
        {title}
      </Title>
      {actions}
    </Group>
    {children}
  </section>
)

/** Names and what they have, one under the other. What is null is left out. */
export const Facts = ({ of }: { of: Record<string, ReactNode> }) => (
  <dl className={styles.facts}>
    {Object.entries(of)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
