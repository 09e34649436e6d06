import { Link, type LinkProps } from '@tanstack/react-router'
import ui from '../ui.module.css'
import styles from './figures.module.css'

export interface Figure {
  label: string
  /** Formatted value. Null until it is known. */
  value: string | null
  /** Link to the records that the figure counts. */
  link?: LinkProps
  isCurrent?: boolean
}

/** Numbers above a list that sum it up. */
export const Figures = ({ figures }: { figures: readonly Figure[] }) => (
  <dl className={styles.figures}>
    {figures.map(({ label, value, link, isCurrent }) => (
      <div key={label} data-current={isCurrent || undefined}>
        <dt>{label}</dt>
        <dd className="tabular">
          {link && value !== null ? (
            <Link {...link} className={ui.rowLink} aria-current={isCurrent || undefined}>
              {value}
            </Link>
          ) : (
            (value ?? '–')
          )}
        </dd>
      </div>
    ))}
  </dl>
)
