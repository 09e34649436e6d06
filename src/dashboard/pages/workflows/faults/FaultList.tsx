import { Text } from '@mantine/core'
import { useTranslate } from '../../../texts/index.tsx'
import { ExclamationTriangleIcon } from '../../../ui/icons.ts'
import { type Definition, type Fault, getStepId } from '../definition/types.ts'
import { useStepName } from '../useStepTexts.ts'
import styles from './faults.module.css'

/** List of all errors, each with a link to the place to fix it. */
export const FaultList = ({
  faults,
  definition,
  lines,
  open,
}: {
  faults: Fault[]
  /** Names the steps of the errors. Without one, the errors are shown by their paths. */
  definition?: Definition | undefined
  /** Line number of each error in the JSON text. */
  lines?: number[]
  open: (fault: Fault, index: number) => void
}) => {
  const t = useTranslate()
  const stepName = useStepName(definition ?? emptyDefinition)
  if (faults.length === 0) return null
  return (
    <section className={styles.faults} aria-label={t('workflows.faults')}>
      <Text size="sm" fw={600}>
        <ExclamationTriangleIcon width={14} className={styles.faultIcon} aria-hidden="true" />
        {t('workflows.faultCount', { count: faults.length })}
      </Text>
      <ul>
        {faults.map((fault, index) => (
          <li key={fault.path}>
            <button type="button" onClick={() => open(fault, index)}>
              {lines
                ? `${t('workflows.jsonLine', { line: lines[index] ?? 1 })} ${fault.path}`
                : t('workflows.fault.at', { step: stepName(getStepId(fault.path)), reason: fault.reason })}
            </button>
            {lines && ` ${fault.reason}`}
          </li>
        ))}
      </ul>
    </section>
  )
}

const emptyDefinition: Definition = { trigger: { eventType: '' }, start: '', steps: {} }
