import styles from './ui.module.css'

/**
 * What colour says: `done` did what it should, `moving` is on its way or waits, `care` tries again, is held or nearly
 * full, `failed` failed or was refused, `off` is off, skipped or over.
 */
export type Tone = 'done' | 'moving' | 'care' | 'failed' | 'off'

/** Colour means status and always comes with its word. */
export const Status = ({ tone, children }: { tone: Tone; children: string }) => (
  <span className={styles.status} data-tone={tone}>
    {children}
  </span>
)
