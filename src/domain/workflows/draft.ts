/** Drafts: what may be saved before a definition is complete, and what a complete one is held to. */
import { Type } from '@sinclair/typebox'
import { DomainError } from '../errors.ts'
import { validator } from '../validate.ts'
import { type Draft, type DraftError, maxDraftErrors } from './draft-schema.ts'
import { Definition } from './schema.ts'
import { checkDefinition, checkSize, refuseUnfinished } from './validate.ts'

const shaped = validator(Type.Object({ definition: Definition }))

/** Returns the draft as a definition that can run. 400 (DomainError) names each fault at its place if it cannot. */
export const completeDefinition = (draft: unknown): Definition => {
  const definition = shaped({ definition: draft }).definition as Definition
  checkDefinition(definition)
  return definition
}

/**
 * Returns what publishing would refuse of a draft, apart from channels and templates that the workspace lacks; empty if
 * nothing. 400 (DomainError) if the draft is too large to be saved.
 */
export const draftErrorsOf = (draft: Draft): DraftError[] => {
  checkSize(draft)
  return errorsOf(() => refuseUnfinished(completeDefinition(draft)))
}

/** Returns what `judge` refuses of the value; other failures are thrown. */
const errorsOf = (judge: () => void): DraftError[] => {
  try {
    judge()
    return []
  } catch (error) {
    if (!(error instanceof DomainError && error.details)) throw error
    return (
      Object.entries(error.details)
        .slice(0, maxDraftErrors)
        // A name that was shortened may end in half a character, which PostgreSQL does not store.
        .map(([path, message]) => ({ path: path.toWellFormed(), message: message.toWellFormed() }))
    )
  }
}
