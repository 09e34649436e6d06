/** Export of a list with its progress. */
import { useEffect, useRef, useState } from 'react'
import { readCustomerNames } from '../../api/customers.ts'
import { withRetryAfter } from '../../api/retry.ts'
import { useTranslate } from '../../texts/index.tsx'
import { useNotify } from '../useNotify.tsx'
import type { Column } from './columns.ts'
import {
  customersIn,
  downloadCsv,
  maxExportedRows,
  type ReadPage,
  type ReadValues,
  readAllRows,
  toCsv,
  withNames,
  withValues,
} from './export.ts'

export interface Export {
  start: () => void
  /** Text of the progress. Null while nothing is exported. */
  progress: string | null
  cancel: () => void
}

/** Returns the export of the shown rows, or of all pages if `readPage` is given, with the values of `readValues`. */
export const useExport = <Row>({
  name,
  columns,
  rows,
  readPage,
  readValues,
}: {
  name: string | undefined
  columns: Column<Row>[]
  rows: Row[] | undefined
  readPage: ReadPage<Row> | undefined
  readValues?: ReadValues<Row> | undefined
}): Export | null => {
  const t = useTranslate()
  const notify = useNotify()
  const [progress, setProgress] = useState<string | null>(null)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  if (name === undefined || !rows) return null
  const exportRead = async (readRows: (signal: AbortSignal) => ReturnType<typeof readAllRows<Row>>) => {
    const { signal } = (running.current = new AbortController())
    try {
      const all = await readRows(signal)
      if (signal.aborted) return
      const values = await readValues?.(all.rows, signal, (done, total) =>
        setProgress(t('list.exportingValues', { done, total })),
      )
      if (signal.aborted) return
      const ids = customersIn(columns, all.rows)
      const names = await readCustomerNames(ids, signal, done =>
        setProgress(t('list.exportingNames', { done, total: ids.length })),
      )
      if (signal.aborted) return
      downloadCsv(name, toCsv(withNames(withValues(columns, values ?? {}), names, t('list.customerName')), all.rows))
      if (all.isCut) notify(t('list.exportCut', { count: all.rows.length, max: maxExportedRows }))
    } catch (error) {
      if (!signal.aborted) notify.error(error)
    } finally {
      setProgress(null)
    }
  }
  const readPages = (readPage: ReadPage<Row>) => (signal: AbortSignal) => {
    const setRowCount = (count: number) => setProgress(t('list.exporting', { count }))
    setRowCount(0)
    return readAllRows((cursor, signal) => withRetryAfter(() => readPage(cursor, signal), signal), signal, setRowCount)
  }
  return {
    start: () => {
      if (readPage) void exportRead(readPages(readPage))
      else if (readValues) void exportRead(() => Promise.resolve({ rows, isCut: false }))
      else downloadCsv(name, toCsv(columns, rows))
    },
    progress,
    cancel: () => running.current?.abort(),
  }
}
