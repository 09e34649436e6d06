/** What the interface would refuse of a definition, asked while it is written and without saving it. */
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { hooks } from '../../api/client.ts'
import { same } from './definition/edit.ts'
import { type Definition, faultsOfDetails } from './definition/types.ts'
import type { Refusal } from './faults.ts'

/** Whoever goes on typing is not asked for in between. */
const restMs = 400
const forgottenMs = 60_000

/** The last judgement and what it was of; null until there is one. What is no longer asked for is broken off. */
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
