import { useTranslate } from '../../../texts/index.tsx'
import { listPointers } from '../definition/edit.ts'
import { sortDefinition } from '../definition/order.ts'
import type { Definition } from '../definition/types.ts'
import { StepIcon } from './StepIcon.tsx'
import styles from './steps.module.css'

const maxIcons = 7

/**
 * Small drawing of a definition: the icons and short names of its trigger and its first steps, in reading order. A step that does not
 * follow the one before it is an alternative to it.
 */
export const StepDrawing = ({ definition }: { definition: Definition }) => {
  const t = useTranslate()
  const steps = Object.entries(sortDefinition(definition).steps)
  const icons = [
    { type: 'start' as const, isAlternative: false },
    ...steps.map(([id, { type }], index) => {
      const before = steps[index - 1]?.[1]
      return { type, isAlternative: before !== undefined && listPointers(before).every(({ target }) => target !== id) }
    }),
  ]
  return (
    <ol className={styles.drawing}>
      {icons.slice(0, maxIcons).map(({ type, isAlternative }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the drawing never changes.
        <li key={index} data-alternative={isAlternative || undefined}>
          {isAlternative && t('workflows.gallery.or')}
          <StepIcon type={type} small />
          {t(`workflows.gallery.step.${type}`)}
        </li>
      ))}
    </ol>
  )
}
