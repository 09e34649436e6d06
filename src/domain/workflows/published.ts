/** What is written down of a version when it is published, so that nobody has to look into its definition. Pure. */
import { waitedForBy } from './exit-on.ts'
import type { Definition } from './schema.ts'
import { stepTypeOf } from './steps/index.ts'
import { referencesOf } from './validate.ts'

/** The event types that its runs may wait for, or be ended by. */
export const awaitedTypesOf = (definition: Definition): string[] => {
  const steps = Object.values(definition.steps).flatMap(step => stepTypeOf(step)?.waitsFor?.(step) ?? [])
  const types = [...waitedForBy(definition.exitOn), ...steps].map(({ eventType }) => eventType)
  return [...new Set(types.filter(type => type !== null))]
}

/** The templates that its steps name. */
export const templateIdsOf = (definition: Definition): string[] => [
  ...new Set(
    referencesOf(definition)
      .filter(({ kind }) => (kind as string) === 'template')
      .map(({ id }) => id.toLowerCase()),
  ),
]
