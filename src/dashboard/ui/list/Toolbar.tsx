import { Button, Group, Text, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { Hint } from '../Hint.tsx'
import { ArrowDownTrayIcon, ChevronUpDownIcon } from '../page-icons.ts'
import styles from './list.module.css'
import type { Export } from './useExport.ts'

/** Bar while some rows are selected: their number, the actions, and buttons that extend or clear the selection. */
export const SelectionBar = ({
  count,
  selectAll,
  isAllSelected,
  clear,
  children,
}: {
  count: number
  /** Selects all loaded rows. Undefined hides the button. */
  selectAll: (() => void) | undefined
  /** Disables the button, which keeps the focus. */
  isAllSelected: boolean
  clear: () => void
  children: ReactNode
}) => {
  const t = useTranslate()
  return (
    <section className={styles.selectionBar} aria-label={t('list.selection')}>
      <Text size="sm" fw={500} role="status">
        {t('list.selected', { count })}
      </Text>
      <Group gap="sm">
        {children}
        {selectAll && (
          <Button
            variant="subtle"
            color="gray"
            data-disabled={isAllSelected || undefined}
            aria-disabled={isAllSelected}
            onClick={selectAll}
          >
            {t('list.selectAll')}
          </Button>
        )}
        <Button variant="subtle" color="gray" onClick={clear}>
          {t('list.clearSelection')}
        </Button>
      </Group>
    </section>
  )
}

/** Line under the rows: their number, the way to sort by other columns, the order, and the export or its progress. */
export const ListFooter = ({
  count,
  hasMore,
  exporting,
  select,
  order,
  loadToSort,
  isByTime,
}: {
  count: number
  /** Whether the API has more rows than the shown ones. */
  hasMore: boolean
  exporting: Export | null
  /** Shows the checkboxes of the rows. Null if they are always shown, or no action on several rows exists. */
  select: (() => void) | null
  /** Order by time, if no header shows it. */
  order: { sort: 'oldest' | undefined; toggle: () => void } | null
  /** Loads more rows, because a list is only sorted by other columns when it is complete. Null if it is. */
  loadToSort: (() => void) | null
  /** Whether the list can already be sorted by time. */
  isByTime: boolean
}) => {
  const t = useTranslate()
  if (!exporting && !select && !order && loadToSort === null) return null
  const sortHint = t('list.sortHint', { order: isByTime ? 'time' : 'none' })
  return (
    <Group justify="space-between" gap="xs" className={styles.listFooter} data-selects={select !== null || undefined}>
      <Text size="xs" c="dimmed" component="div" className={styles.count}>
        <span>{t(hasMore ? 'list.shownFirst' : 'list.shown', { count })}</span>
        {loadToSort && (
          <Hint label={() => sortHint}>
            <UnstyledButton className={styles.sortHint} aria-label={sortHint} onClick={loadToSort}>
              {t('list.more')}
            </UnstyledButton>
          </Hint>
        )}
      </Text>
      <Group gap="xs" wrap="nowrap" flex="none">
        {select && (
          <Button variant="subtle" color="gray" onClick={select}>
            {t('list.startSelection')}
          </Button>
        )}
        {order && (
          <Button variant="subtle" color="gray" leftSection={<ChevronUpDownIcon width={14} />} onClick={order.toggle}>
            {t(order.sort === 'oldest' ? 'list.oldestFirst' : 'list.newestFirst')}
          </Button>
        )}
        {exporting && <ExportButton exporting={exporting} />}
      </Group>
    </Group>
  )
}

/** Button of an export. While it runs: its progress, with a button that cancels it. */
export const ExportButton = ({ exporting }: { exporting: Export }) => {
  const t = useTranslate()
  if (exporting.progress === null)
    return (
      <Button
        variant="subtle"
        color="gray"
        className={styles.export!}
        aria-label={t('list.export')}
        leftSection={<ArrowDownTrayIcon width={14} />}
        onClick={exporting.start}
      >
        <span className={styles.exportText}>{t('list.export')}</span>
      </Button>
    )
  return (
    <>
      <Text size="xs" c="dimmed" role="status">
        {exporting.progress}
      </Text>
      <Button variant="subtle" color="gray" onClick={exporting.cancel}>
        {t('list.exportCancel')}
      </Button>
    </>
  )
}
