import { Button, Group, Text, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { Hint } from '../Hint.tsx'
import { ArrowDownTrayIcon, BarsArrowDownIcon, BarsArrowUpIcon } from '../page-icons.ts'
import { firstClick } from './firstClick.ts'
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

/** Line under the rows: their number, the way to load more, the order, and the export or its progress. */
export const ListFooter = ({
  count,
  loadMore,
  exporting,
  select,
  order,
  sortsWhenComplete,
  isByTime,
}: {
  count: number
  /** Loads more rows. Null if all are shown. */
  loadMore: (() => void) | null
  exporting: Export | null
  /** Shows the checkboxes of the rows. Null if they are always shown, or no action on several rows exists. */
  select: (() => void) | null
  /** Order by time, if no header shows it. */
  order: { sort: 'oldest' | undefined; toggle: () => void } | null
  /** Whether a complete list can be sorted by columns, which the hint of "Load more" then says. */
  sortsWhenComplete: boolean
  /** Whether the list can already be sorted by time. */
  isByTime: boolean
}) => {
  const t = useTranslate()
  if (!exporting && !select && !order && loadMore === null) return null
  const orderText = t(order?.sort === 'oldest' ? 'list.oldestFirst' : 'list.newestFirst')
  const hint = sortsWhenComplete ? t('list.sortHint', { order: isByTime ? 'time' : 'none' }) : t('list.moreRows')
  return (
    <Group justify="space-between" gap="xs" className={styles.listFooter}>
      <Text size="xs" c="dimmed" component="div" className={styles.count}>
        <span>{t(loadMore ? 'list.shownFirst' : 'list.shown', { count })}</span>
        {loadMore && (
          <Hint label={() => hint}>
            <UnstyledButton className={styles.more} aria-label={hint} onClick={loadMore}>
              {t('list.more')}
            </UnstyledButton>
          </Hint>
        )}
      </Text>
      <Group gap="xs" wrap="nowrap" flex="none">
        {select && (
          <Button variant="subtle" color="gray" className={styles.startSelection!} onClick={select}>
            {t('list.startSelection')}
          </Button>
        )}
        {order && (
          <Button
            variant="subtle"
            color="gray"
            className={styles.order!}
            aria-label={orderText}
            title={orderText}
            leftSection={order.sort === 'oldest' ? <BarsArrowUpIcon width={16} /> : <BarsArrowDownIcon width={16} />}
            onClick={order.toggle}
          >
            <span className={styles.buttonText}>{orderText}</span>
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
        onClick={firstClick(exporting.start)}
      >
        <span className={styles.buttonText}>{t('list.export')}</span>
      </Button>
    )
  return (
    <>
      <Text size="xs" c="dimmed" role="status">
        {exporting.progress}
      </Text>
      <Button variant="subtle" color="gray" onClick={firstClick(exporting.cancel)}>
        {t('list.exportCancel')}
      </Button>
    </>
  )
}
