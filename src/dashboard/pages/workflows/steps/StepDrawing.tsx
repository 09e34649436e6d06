import { useTranslate } from '../../../texts/index.tsx'
import { listPointers } from '../definition/edit.ts'
import { sortDefinition } from '../definition/order.ts'
import type { Definition, StepType } from '../definition/types.ts'
import { StepIcon } from './StepIcon.tsx'
import styles from './steps.module.css'

const maxIcons = 7

type DrawnType = StepType | 'start'

/** Returns the types of the trigger and the first steps, in reading order. A group has a step and its alternatives. */
const toGroups = (definition: Definition): DrawnType[][] => {
  const steps = Object.entries(sortDefinition(definition).steps).slice(0, maxIcons - 1)
  const groups: DrawnType[][] = [['start']]
  for (const [index, [id, { type }]] of steps.entries()) {
    const before = steps[index - 1]?.[1]
    // A step that does not follow the one before it is an alternative to it.
    if (before && listPointers(before).every(({ target }) => target !== id)) groups.at(-1)!.push(type)
    else groups.push([type])
  }
  return groups
}

/** Small drawing of a definition: the icons and short names of its trigger and its first steps. Lines break between groups. */
export const StepDrawing = ({ definition }: { definition: Definition }) => {
  const t = useTranslate()
  return (
    // biome-ignore lint/a11y/useSemanticElements: the items of a list element cannot be grouped.
    <span className={styles.drawing} role="list">
      {toGroups(definition).map((types, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the drawing never changes.
        <span key={index} className={styles.drawingGroup}>
          {types.map((type, alternative) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            // biome-ignore lint/a11y/useSemanticElements: as above.
            <span key={alternative} role="listitem">
              {alternative > 0 && t('workflows.gallery.or')}
              <StepIcon type={type} small />
              {t(`workflows.gallery.step.${type}`)}
            </span>
          ))}
        </span>
      ))}
    </span>
  )
}
