import { Type } from '@sinclair/typebox'
import type { Reading } from '../context.ts'
import { type Details, DomainError } from '../errors.ts'
import { validator } from '../validate.ts'
import { verb } from '../verb.ts'
import { findReferenced } from './referenced.ts'
import { type CheckedWorkflow, Definition } from './schema.ts'
import { checkDefinition, referencesOf, refuseMissing } from './validate.ts'

const shaped = validator(Type.Object({ definition: Definition }))

/** Says what publishing this definition would refuse at this moment. Writes nothing. */
export const checkWorkflow = verb(
  { by: 'member' },
  async ({ caller }, reading: Reading, asked: { definition: unknown }): Promise<CheckedWorkflow> => {
    const details = await detailsOf(async () => {
      const definition = shaped(asked).definition as Definition
      checkDefinition(definition)
      const references = referencesOf(definition)
      const referenced = await reading(caller.workspaceId, sql => findReferenced({ sql, caller }, references))
      refuseMissing(references, referenced)
    })
    return { valid: details === null, details }
  },
)

/** Of what is refused because of the value; a fault of ours is none of it. */
const detailsOf = async (judge: () => Promise<void>): Promise<Details | null> => {
  try {
    await judge()
    return null
  } catch (error) {
    if (error instanceof DomainError && error.details) return error.details
    throw error
  }
}
