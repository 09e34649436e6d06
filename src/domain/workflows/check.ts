import type { Reading } from '../context.ts'
import { type Details, DomainError } from '../errors.ts'
import { verb } from '../verb.ts'
import { completeDefinition } from './draft.ts'
import { findReferenced } from './referenced.ts'
import type { CheckedWorkflow } from './schema.ts'
import { referencesOf, refuseMissing, refuseUnfinished } from './validate.ts'

/** Returns what publishing this definition would reject now. Writes nothing. */
export const checkWorkflow = verb(
  { by: 'member' },
  async ({ caller }, reading: Reading, asked: { definition: unknown }): Promise<CheckedWorkflow> => {
    const details = await detailsOf(async () => {
      const definition = completeDefinition(asked.definition)
      refuseUnfinished(definition)
      const references = referencesOf(definition)
      const referenced = await reading(caller.workspaceId, sql => findReferenced({ sql, caller }, references))
      refuseMissing(references, referenced)
    })
    return { valid: details === null, details }
  },
)

/** Returns the details of a validation error, or null without one. Rethrows other errors. */
const detailsOf = async (judge: () => Promise<void>): Promise<Details | null> => {
  try {
    await judge()
    return null
  } catch (error) {
    if (error instanceof DomainError && error.details) return error.details
    throw error
  }
}
