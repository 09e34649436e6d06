/** Everything that is wrong with what stands in the editor: found here at once, or told by the interface. */
import { useMemo } from 'react'
import { type TextId, useTexts } from '../../texts/index.tsx'
import { findingsOf, oncePerPlace } from './definition/check.ts'
import { same } from './definition/edit.ts'
import { type Definition, type Fault, stepOfPlace } from './definition/types.ts'

/** What the interface said, and of what. */
export interface Refusal {
  of: Definition
  faults: Fault[]
}

/** The part of a definition that a fault is about: once it changes, nobody knows whether it still holds. */
const partOf = ({ steps, ...rest }: Definition, id: string): unknown => (id === 'start' ? rest : steps[id])

/** `refusal` is what saving or publishing was answered, `checked` what either would be answered as far as was asked. */
export const useFaults = (definition: Definition, refusal: Refusal | null, checked: Refusal | null): Fault[] => {
  const say = useTexts()
  return useMemo(() => {
    const found = findingsOf(definition).map(({ place, reason, values }) => ({
      place,
      reason: say(`workflows.fault.${reason}` satisfies TextId, values),
    }))
    // Who was asked of all this, as it is, knows better than who was asked before.
    const last = checked && same(checked.of, definition) ? [checked] : [refusal, checked]
    const told = last.flatMap(
      said =>
        said?.faults.filter(({ place }) => {
          const step = stepOfPlace(place)
          return same(partOf(said.of, step), partOf(definition, step))
        }) ?? [],
    )
    // Of the same place the sentence for people comes before that of the interface.
    return oncePerPlace([...found, ...told])
  }, [definition, refusal, checked, say])
}

/** What is wrong at a place, or within it. */
export const faultAt = (faults: Fault[], place: string): string | undefined =>
  faults.find(fault => fault.place === place || fault.place.startsWith(`${place}.`))?.reason
