import { useTexts } from '../../texts/index.tsx'
import type { Tone } from '../../ui/Status.tsx'
import styles from './workflows.module.css'

/** What became of some runs. */
export interface Ends {
  completed: number
  underWay: number
  exited: number
  failed: number
}

const tones: [keyof Ends, Tone][] = [
  ['completed', 'done'],
  ['underWay', 'moving'],
  ['exited', 'off'],
  ['failed', 'failed'],
]

/** Their shares as one line; in words for whoever does not see it. */
export const Proportion = ({ of }: { of: Ends }) => {
  const say = useTexts()
  const words = say('workflows.ends', { ...of })
  return (
    <span className={styles.proportion} role="img" aria-label={words} title={words}>
      {tones
        .filter(([name]) => of[name] > 0)
        .map(([name, tone]) => (
          <span key={name} data-tone={tone} style={{ flexGrow: of[name] }} />
        ))}
    </span>
  )
}
