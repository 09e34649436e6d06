import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Failure } from '../Failure.tsx'
import type { Tone } from '../Status.tsx'
import states from '../states.module.css'
import styles from './bars.module.css'
import type { ChartQuery } from './series.ts'

export interface Bar {
  key: string
  label: ReactNode
  /** Undefined while it is being loaded. */
  value: number | undefined
  tone?: Tone | 'accent'
  /** Text beside the number, for example the share of the step before. */
  note?: string | undefined
}

/**
 * Horizontal bars: results of a campaign as a funnel, response codes, failure reasons. It is a table, so that screen
 * readers read the same values. The bars are relative to `total`, which defaults to the largest value.
 */
export const BarTable = ({
  title,
  bars,
  query,
  total,
  aligned = false,
}: {
  title: string
  /** Undefined while they are loaded, or if the request failed. */
  bars: readonly Bar[] | undefined
  /** Request of the bars. If it failed, its error takes their place. */
  query?: ChartQuery
  total?: number
  /** Gives the columns fixed widths, so that tables below each other have the same columns. */
  aligned?: boolean
}) => {
  const t = useTranslate()
  const number = useNumbers()
  if (!bars)
    return query?.error ? (
      <div className={states.failedChart}>
        <Failure error={query.error} retry={() => void query.refetch()} />
      </div>
    ) : (
      <Text size="sm" c="dimmed">
        –
      </Text>
    )
  const max = Math.max(total ?? 0, ...bars.map(({ value }) => value ?? 0), 1)
  if (bars.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('chart.empty')}
      </Text>
    )
  const hasNotes = bars.some(({ note }) => note !== undefined)
  return (
    <div className={styles.barFrame} data-aligned={aligned || undefined} data-stacks={bars.some(isWide) || undefined}>
      <table className={styles.bars} aria-label={title}>
        <tbody>
          {bars.map(({ key, label, value, tone = 'accent', note }) => (
            <tr key={key}>
              <th scope="row">{label}</th>
              <td className={styles.barCell} aria-hidden="true">
                <div className={styles.barTrack}>
                  {value !== undefined && value > 0 && (
                    <span data-tone={tone} style={{ width: `${Math.min(value / max, 1) * 100}%` }} />
                  )}
                </div>
              </td>
              <td className="tabular">{value === undefined ? '–' : number(value)}</td>
              {hasNotes && <td className={styles.note}>{note}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Number of characters of a label that leave room for the bar in a narrow card. */
const narrowLabel = 20
/** Number of characters of a note, such as `100%`, that leaves room for the bar. */
const shortNote = 4

/** Returns true for a row that needs a line of its own for the label in a narrow card. */
const isWide = ({ label, note }: Bar): boolean =>
  (note?.length ?? 0) > shortNote || (typeof label === 'string' && label.length > narrowLabel)

/** Adds the share of the step before to each step of a funnel. */
export const useFunnel = (): ((steps: readonly Bar[]) => Bar[]) => {
  const t = useTranslate()
  const number = useNumbers()
  return steps =>
    steps.map((step, index) => {
      const before = steps[index - 1]?.value
      return before && step.value !== undefined
        ? { ...step, note: t('chart.ofPrevious', { share: number(step.value / before, { style: 'percent' }) }) }
        : step
    })
}
