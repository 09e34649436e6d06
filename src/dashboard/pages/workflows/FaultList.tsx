import { Text } from '@mantine/core'
import { useTranslate } from '../../texts/index.tsx'
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
  const t = useTranslate()
  if (faults.length === 0) return null
  return (
    <section className={styles.faults} aria-label={t('workflows.faults')}>
      <Text size="sm" fw={600}>
        {t('workflows.faultCount', { count: faults.length })}
      </Text>
      <ul>
        {faults.map((fault, index) => (
          <li key={fault.path}>
            <button type="button" onClick={() => open(fault, index)}>
              {lines && `${t('workflows.jsonLine', { line: lines[index] ?? 1 })} `}
              {fault.path}
            </button>{' '}
            {fault.reason}
          </li>
        ))}
      </ul>
    </section>
  )
}
