// biome-ignore-all lint/a11y/useSemanticElements: browsers remove the semantics of table elements with a grid layout.
import { Checkbox, UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { CSSProperties } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { ChevronDownIcon } from '../icons.ts'
import { ChevronUpDownIcon, ChevronUpIcon } from '../page-icons.ts'
import type { Column } from './columns.ts'
import head from './head.module.css'
import styles from './list.module.css'
import type { useTable } from './table.ts'

type Table = ReturnType<typeof useTable>

/** Column headers of a list. A sortable column has a button. */
export const Head = <Row,>({
  columns,
  table,
  sortBy,
  selectable,
  template,
}: {
  columns: Column<Row>[]
  table: Table
  sortBy: (key: string) => void
  selectable: boolean
  template: CSSProperties | undefined
}) => {
  const t = useTranslate()
  return (
    <div role="rowgroup" className={styles.listHead}>
      <div role="row" tabIndex={-1} className={styles.row} style={template}>
        {selectable && (
          <div role="columnheader" tabIndex={-1} className={styles.selectAll}>
            <input
              type="checkbox"
              aria-label={t('list.selectAll')}
              checked={table.isAllSelected}
              ref={input => {
                if (input) input.indeterminate = table.isSomeSelected
              }}
              onChange={event => table.setAllSelected(event.currentTarget.checked)}
            />
            <Checkbox.Indicator
              size="xs"
              aria-hidden="true"
              checked={table.isAllSelected}
              indeterminate={table.isSomeSelected}
            />
          </div>
        )}
        {columns.map(column => (
          <HeadCell
            key={column.key}
            column={column}
            direction={table.directionOf(column.key)}
            sort={() => sortBy(column.key)}
          />
        ))}
      </div>
    </div>
  )
}

const ariaSort = { asc: 'ascending', desc: 'descending' } as const
const sortIcons = { asc: ChevronUpIcon, desc: ChevronDownIcon }

const HeadCell = <Row,>({
  column: { title, align, hidesTitle, value },
  direction,
  sort,
}: {
  column: Column<Row>
  direction: 'asc' | 'desc' | null | undefined
  sort: () => void
}) => {
  const t = useTranslate()
  const SortIcon = direction ? sortIcons[direction] : ChevronUpDownIcon
  return (
    <div role="columnheader" tabIndex={-1} data-align={align} aria-sort={direction ? ariaSort[direction] : undefined}>
      {direction === undefined ? (
        hidesTitle ? (
          <VisuallyHidden>{title}</VisuallyHidden>
        ) : (
          <span title={value && t('list.sortWhenComplete')}>{title}</span>
        )
      ) : (
        <UnstyledButton className={head.sort} onClick={sort} data-sorted={direction !== null || undefined}>
          {title}
          <SortIcon aria-hidden="true" width={12} />
        </UnstyledButton>
      )}
    </div>
  )
}
