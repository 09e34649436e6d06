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

export const useFaults = (definition: Definition, refusal: Refusal | null): Fault[] => {
  const say = useTexts()
  return useMemo(() => {
    const found = findingsOf(definition).map(({ place, reason, values }) => ({
      place,
      reason: say(`workflows.fault.${reason}` satisfies TextId, values),
    }))
    const told = (refusal?.faults ?? []).filter(({ place }) => {
      const step = stepOfPlace(place)
      return same(partOf(refusal!.of, step), partOf(definition, step))
    })
    return oncePerPlace([...told, ...found])
  }, [definition, refusal, say])
}

/** What is wrong at a place, or within it. */
export const faultAt = (faults: Fault[], place: string): string | undefined =>
  faults.find(fault => fault.place === place || fault.place.startsWith(`${place}.`))?.reason
