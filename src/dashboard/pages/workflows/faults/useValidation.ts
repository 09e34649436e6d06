/** Validation of a definition by the API while it is edited, without saving it. */
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { hooks } from '../../../api/client.ts'
import { isEqual } from '../definition/edit.ts'
import { type Definition, toFaults } from '../definition/types.ts'
import type { ApiFaults } from './faults.ts'

/** Pause in typing, in milliseconds, before a request is sent. */
const debounceMs = 400
const cacheMs = 60_000

/** Returns the last validation and its definition. null until there is one. An outdated request is cancelled. */
export const useValidation = (definition: object | null): ApiFaults | null => {
  const [debouncedDefinition] = useDebouncedValue(definition, debounceMs)
  const { data } = hooks.useQuery(
    'post',
    '/v1/workflows/check',
    { body: { definition: (debouncedDefinition ?? {}) as Record<string, never> } },
    {
      enabled: debouncedDefinition !== null,
      gcTime: cacheMs,
      placeholderData: keepPreviousData,
      select: ({ details }) => ({ definition: debouncedDefinition as Definition, faults: toFaults(details ?? {}) }),
    },
  )
  return debouncedDefinition !== null && data && isEqual(data.definition, debouncedDefinition) ? data : null
}
