/** Validation of a definition by the API while it is edited, without saving it. */
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { hooks } from '../../api/client.ts'
import { same } from './definition/edit.ts'
import { type Definition, faultsOfDetails } from './definition/types.ts'
import type { Refusal } from './faults.ts'

/** Pause in typing, in milliseconds, before a request is sent. */
const restMs = 400
const forgottenMs = 60_000

/** Returns the last validation and its definition. null until there is one. An outdated request is cancelled. */
export const useChecked = (definition: object | null): Refusal | null => {
  const [settled] = useDebouncedValue(definition, restMs)
  const { data } = hooks.useQuery(
    'post',
    '/v1/workflows/check',
    { body: { definition: (settled ?? {}) as Record<string, never> } },
    {
      enabled: settled !== null,
      gcTime: forgottenMs,
      placeholderData: keepPreviousData,
      select: ({ details }) => ({ of: settled as Definition, faults: faultsOfDetails(details ?? {}) }),
    },
  )
  return settled !== null && data && same(data.of, settled) ? data : null
}
