import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { ArrowDownTrayIcon } from '../page-icons.ts'
import styles from './list.module.css'

/** Bar above the rows while some are selected: their number, the actions, and a button that clears the selection. */
export const SelectionBar = ({ count, clear, children }: { count: number; clear: () => void; children: ReactNode }) => {
  const t = useTranslate()
  return (
    <section className={styles.selectionBar} aria-label={t('list.selection')}>
      <Text size="sm" fw={500} role="status">
        {t('list.selected', { count })}
      </Text>
      <Group gap="sm">
        {children}
        <Button variant="subtle" color="gray" onClick={clear}>
          {t('list.clearSelection')}
        </Button>
      </Group>
    </section>
  )
}

/** Line under the rows: their number and the export. */
export const ListFooter = ({
  count,
  hasMore,
  exportRows,
}: {
  count: number
  /** Whether the API has more rows than the shown ones. */
  hasMore: boolean
  exportRows: (() => void) | undefined
}) => {
  const t = useTranslate()
  if (!exportRows) return null
  return (
    <Group justify="space-between" className={styles.listFooter}>
      <Text size="xs" c="dimmed">
        {t(hasMore ? 'list.shownFirst' : 'list.shown', { count })}
      </Text>
      <Button variant="subtle" color="gray" leftSection={<ArrowDownTrayIcon width={14} />} onClick={exportRows}>
        {t('list.export')}
      </Button>
    </Group>
  )
}
