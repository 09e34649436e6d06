/** Data stored with a version when it is published, so that statements need not read its definition. Pure. */
import { awaitedByExits } from './exit-on.ts'
import type { Definition } from './schema.ts'
import { stepTypeOf } from './steps/index.ts'
import { referencesOf } from './validate.ts'

/** Returns the event types that can end a wait or a run of this version. */
export const awaitedTypesOf = (definition: Definition): string[] => {
  const steps = Object.values(definition.steps).flatMap(step => stepTypeOf(step)?.waitsFor?.(step) ?? [])
  const types = [...awaitedByExits(definition.exitOn), ...steps].map(({ eventType }) => eventType)
  return [...new Set(types.filter(type => type !== null))]
}

/** Returns the IDs of the templates that its steps name. */
export const templateIdsOf = (definition: Definition): string[] => [
  ...new Set(
    referencesOf(definition)
      .filter(({ kind }) => (kind as string) === 'template')
      .map(({ id }) => id.toLowerCase()),
  ),
]
