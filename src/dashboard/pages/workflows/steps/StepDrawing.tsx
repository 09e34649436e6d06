import { VisuallyHidden } from '@mantine/core'
import { useTranslate } from '../../../texts/index.tsx'
import { sortDefinition } from '../definition/order.ts'
import type { Definition } from '../definition/types.ts'
import { StepIcon } from './StepIcon.tsx'
import styles from './steps.module.css'

const maxIcons = 7

/** Small drawing of a definition: the icons of its trigger and its first steps, in reading order. */
export const StepDrawing = ({ definition }: { definition: Definition }) => {
  const t = useTranslate()
  const types = ['start' as const, ...Object.values(sortDefinition(definition).steps).map(({ type }) => type)]
  return (
    <ol className={styles.drawing}>
      {types.slice(0, maxIcons).map((type, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the drawing never changes.
        <li key={index}>
          <StepIcon type={type} small />
          <VisuallyHidden>{t(`workflows.step.${type}`)}</VisuallyHidden>
        </li>
      ))}
    </ol>
  )
}
