/** All errors of the definition in the editor, found locally or returned by the API. */
import { useMemo } from 'react'
import { type TextId, useTranslate } from '../../../texts/index.tsx'
import { dedupeByPath, findFaults } from '../definition/check.ts'
import { isEqual } from '../definition/edit.ts'
import { type Definition, type Fault, getStepId } from '../definition/types.ts'

/** Errors returned by the API, with the definition that they apply to. */
export interface ApiFaults {
  definition: Definition
  faults: Fault[]
}

/** Part of a definition that an error refers to. Once it changes, the error may be outdated. */
const getPart = ({ steps, ...rest }: Definition, id: string): unknown => (id === 'start' ? rest : steps[id])

/** `apiFaults` is the error of the last save or publish. `validation` is the last validation of an edit. */
export const useFaults = (
  definition: Definition,
  apiFaults: ApiFaults | null,
  validation: ApiFaults | null,
): Fault[] => {
  const t = useTranslate()
  return useMemo(() => {
    const localFaults = findFaults(definition).map(({ path, reason, values }) => ({
      path,
      reason: t(`workflows.fault.${reason}` satisfies TextId, values),
    }))
    // A validation of exactly this definition replaces earlier errors.
    const sources = validation && isEqual(validation.definition, definition) ? [validation] : [apiFaults, validation]
    const currentFaults = sources.flatMap(
      source =>
        source?.faults.filter(({ path }) => {
          const step = getStepId(path)
          return isEqual(getPart(source.definition, step), getPart(definition, step))
        }) ?? [],
    )
    // For the same place, the local text comes before the text of the API.
    return dedupeByPath([...localFaults, ...currentFaults])
  }, [definition, apiFaults, validation, t])
}

/** Returns the first error at a place or below it. */
export const findFault = (faults: Fault[], path: string): string | undefined =>
  faults.find(fault => fault.path === path || fault.path.startsWith(`${path}.`))?.reason
