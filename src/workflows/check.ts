import type { ReadRunner } from '../core/context.ts'
import { type Details, DomainError } from '../core/errors.ts'
import { verb } from '../core/verb.ts'
import { completeDefinition } from './draft.ts'
import { findReferencedRecords } from './referenced.ts'
import type { CheckedWorkflow } from './schema.ts'
import { referencesOf, rejectMissing, rejectUnfinished } from './validate.ts'

/** Returns what publishing this definition would reject now. Writes nothing. */
export const checkWorkflow = verb(
  { by: 'member' },
  async ({ caller }, reading: ReadRunner, input: { definition: unknown }): Promise<CheckedWorkflow> => {
    const details = await validationErrorsOf(async () => {
      const definition = completeDefinition(input.definition)
      rejectUnfinished(definition)
      const references = referencesOf(definition)
      const referenced = await reading(caller.workspaceId, sql => findReferencedRecords({ sql, caller }, references))
      rejectMissing(references, referenced)
    })
    return { valid: details === null, details }
  },
)

/** Returns the details of a validation error, or null without one. Rethrows other errors. */
const validationErrorsOf = async (validate: () => Promise<void>): Promise<Details | null> => {
  try {
    await validate()
    return null
  } catch (error) {
    if (error instanceof DomainError && error.details) return error.details
    throw error
  }
}
