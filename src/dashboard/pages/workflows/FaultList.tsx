import { Text } from '@mantine/core'
import { useTexts } from '../../texts/index.tsx'
import type { Fault } from './definition/types.ts'
import styles from './workflows.module.css'

/** List of all errors, each with a link to the place to fix it. */
export const FaultList = ({
  faults,
  lines,
  open,
}: {
  faults: Fault[]
  /** Line number of each error in the JSON text. */
  lines?: number[]
  open: (fault: Fault, index: number) => void
}) => {
  const say = useTexts()
  if (faults.length === 0) return null
  return (
    <section className={styles.faults} aria-label={say('workflows.faults')}>
      <Text size="sm" fw={600}>
        {say('workflows.faultCount', { count: faults.length })}
      </Text>
      <ul>
        {faults.map((fault, index) => (
          <li key={fault.place}>
            <button type="button" onClick={() => open(fault, index)}>
              {lines && `${say('workflows.jsonLine', { line: lines[index] ?? 1 })} `}
              {fault.place}
            </button>{' '}
            {fault.reason}
          </li>
        ))}
      </ul>
    </section>
  )
}
