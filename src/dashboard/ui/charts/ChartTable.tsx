import { Text } from '@mantine/core'
import { useTranslate } from '../../texts/index.tsx'
import styles from './chart-table.module.css'
import type { FormatValue } from './series.ts'

/** Table of the values of a chart, newest first, without empty buckets. Only a reader who opens it loads this file. */
export const ChartTable = ({
  title,
  heads,
  rows,
  label,
  show,
}: {
  title: string
  /** Names of the series, in the order of the values. */
  heads: readonly { key: string; label: string }[]
  /** Undefined while they are loaded. */
  rows: readonly { at: string; values: readonly (number | null)[] }[] | undefined
  label: (at: string) => string
  show: FormatValue
}) => {
  const t = useTranslate()
  const filledRows = rows?.filter(({ values }) => values.some(value => value)).toReversed()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by the keyboard.
    <section className={styles.table} aria-label={t('chart.table', { title })} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('chart.time')}</th>
            {heads.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {filledRows?.map(({ at, values }) => (
            <tr key={at}>
              <th scope="row">{label(at)}</th>
              {values.map((value, index) => (
                <td key={heads[index]?.key}>{value === null ? t('chart.none') : show(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {filledRows?.length === 0 && <Text size="sm">{t('chart.empty')}</Text>}
    </section>
  )
}
