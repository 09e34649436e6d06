/** Export of a list with its progress. */
import { useEffect, useRef, useState } from 'react'
import { Failure } from '../../api/client.ts'
import { readCustomerNames } from '../../api/customer-names.ts'
import { useTranslate } from '../../texts/index.tsx'
import { useNotify } from '../useNotify.tsx'
import type { Column } from './columns.ts'
import { customersIn, downloadCsv, maxExportedRows, type ReadPage, readAllRows, toCsv, withNames } from './export.ts'

export interface Export {
  start: () => void
  /** Number of rows read so far. Null while nothing is exported. */
  count: number | null
  cancel: () => void
}

/** Returns the export of the shown rows, or of all pages if `readPage` is given. */
export const useExport = <Row>({
  name,
  columns,
  rows,
  readPage,
}: {
  name: string | undefined
  columns: Column<Row>[]
  rows: Row[] | undefined
  readPage: ReadPage<Row> | undefined
}): Export | null => {
  const t = useTranslate()
  const notify = useNotify()
  const [count, setCount] = useState<number | null>(null)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  if (name === undefined || !rows) return null
  const exportPages = async (readPage: ReadPage<Row>) => {
    const { signal } = (running.current = new AbortController())
    setCount(0)
    try {
      const all = await readAllRows(readPage, signal, setCount)
      if (signal.aborted) return
      const names = await readCustomerNames(customersIn(columns, all.rows), signal)
      if (signal.aborted) return
      downloadCsv(name, toCsv(withNames(columns, names, t('list.customerName')), all.rows))
      if (all.isCut) notify(t('list.exportCut', { count: all.rows.length, max: maxExportedRows }))
    } catch (error) {
      if (!signal.aborted) notify(error instanceof Failure ? error.message : t('failure.page'), undefined, 'failed')
    } finally {
      setCount(null)
    }
  }
  return {
    start: () => (readPage ? void exportPages(readPage) : downloadCsv(name, toCsv(columns, rows))),
    count,
    cancel: () => running.current?.abort(),
  }
}
