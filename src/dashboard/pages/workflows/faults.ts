/** All errors of the definition in the editor, found locally or returned by the API. */
import { useMemo } from 'react'
import { type TextId, useTexts } from '../../texts/index.tsx'
import { findingsOf, oncePerPlace } from './definition/check.ts'
import { same } from './definition/edit.ts'
import { type Definition, type Fault, stepOfPlace } from './definition/types.ts'

/** Errors returned by the API, with the definition that they apply to. */
export interface Refusal {
  of: Definition
  faults: Fault[]
}

/** Part of a definition that an error refers to. Once it changes, the error may be outdated. */
const partOf = ({ steps, ...rest }: Definition, id: string): unknown => (id === 'start' ? rest : steps[id])

/** `refusal` is the error of the last save or publish. `checked` is the last validation of an edit. */
export const useFaults = (definition: Definition, refusal: Refusal | null, checked: Refusal | null): Fault[] => {
  const say = useTexts()
  return useMemo(() => {
    const found = findingsOf(definition).map(({ place, reason, values }) => ({
      place,
      reason: say(`workflows.fault.${reason}` satisfies TextId, values),
    }))
    // A validation of exactly this definition replaces earlier errors.
    const last = checked && same(checked.of, definition) ? [checked] : [refusal, checked]
    const told = last.flatMap(
      said =>
        said?.faults.filter(({ place }) => {
          const step = stepOfPlace(place)
          return same(partOf(said.of, step), partOf(definition, step))
        }) ?? [],
    )
    // For the same place, the local text comes before the text of the API.
    return oncePerPlace([...found, ...told])
  }, [definition, refusal, checked, say])
}

/** Returns the first error at a place or below it. */
export const faultAt = (faults: Fault[], place: string): string | undefined =>
  faults.find(fault => fault.place === place || fault.place.startsWith(`${place}.`))?.reason
