import styles from './charts.module.css'
import { type FormatValue, type Series, totalOf } from './series.ts'

/**
 * Names of the series, with their totals over the shown time, or a dash while the rows are unknown. Bars that are zero in
 * all buckets have no name: the tooltip and the table have them. The note is before them beside the title, and after
 * them in a narrow card.
 */
export const Legend = <Row,>({
  series,
  rows,
  isCounted = () => true,
  show,
  patternId,
  note,
}: {
  series: readonly Series<Row>[]
  rows: readonly Row[] | undefined
  isCounted?: ((row: Row) => boolean) | undefined
  show: FormatValue | undefined
  patternId: string
  note: string | undefined
}) => (
  <div className={styles.legend} data-unknown={rows === undefined || undefined}>
    {note && <span>{note}</span>}
    <ul>
      {series.map(
        (one, index) =>
          !(show && rows?.every(row => !one.value(row))) && (
            <li key={one.key}>
              <svg width="12" height="12" aria-hidden="true" data-tone={one.tone} className={styles.swatch}>
                {show ? (
                  <rect width="12" height="12" rx="2" fill={`url(#${patternId}-${index})`} />
                ) : (
                  <line x1="0" x2="12" y1="6" y2="6" data-dash={index} />
                )}
              </svg>
              <span className={styles.legendName}>{one.label}</span>
              {show && <strong className="tabular">{rows ? show(totalOf(rows.filter(isCounted), one)) : '–'}</strong>}
            </li>
          ),
      )}
    </ul>
  </div>
)
