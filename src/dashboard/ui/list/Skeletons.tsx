// biome-ignore-all lint/a11y/useSemanticElements: browsers remove the semantics of table elements with a grid layout.
import type { CSSProperties } from 'react'
import type { Column } from './columns.ts'
import styles from './list.module.css'

/** Number of placeholder rows. */
export const skeletonRows = 12

/** Placeholders of the rows of a list that is loading. */
export const Skeletons = <Row,>({
  columns,
  style,
  selectable,
}: {
  columns: Column<Row>[]
  /** Columns and height of a row. */
  style: CSSProperties
  selectable: boolean
}) =>
  Array.from({ length: skeletonRows }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are identical.
    <div role="row" tabIndex={-1} key={index} className={styles.row} style={style}>
      {selectable && <div role="cell" />}
      {columns.map(column => (
        <div role="cell" key={column.key} className={styles.skeleton} data-line={column.phone} />
      ))}
    </div>
  ))
