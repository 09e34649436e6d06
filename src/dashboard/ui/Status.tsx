import styles from './ui.module.css'

/**
 * Meaning of the colors: `done` succeeded, `moving` in progress or waiting, `care` retrying, held or nearly full,
 * `failed` failed or rejected, `off` off, skipped or over.
 */
export type Tone = 'done' | 'moving' | 'care' | 'failed' | 'off'

/** Status label. A color always comes with its word. */
export const Status = ({ tone, children }: { tone: Tone; children: string }) => (
  <span className={styles.status} data-tone={tone}>
    {children}
  </span>
)
