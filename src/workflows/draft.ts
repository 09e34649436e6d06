/** Validation of drafts: what may be saved, and what a complete definition must fulfil. */
import { Type } from '@sinclair/typebox'
import { DomainError } from '../core/errors.ts'
import { validator } from '../core/validate.ts'
import { type Draft, type DraftError, maxDraftErrors } from './draft-schema.ts'
import { Definition } from './schema.ts'
import { checkDefinition, checkSize, rejectUnfinished } from './validate.ts'

const validateShape = validator(Type.Object({ definition: Definition }))

/**
 * Returns the draft as a definition that can run. Throws 400 (DomainError) with the path of each fault if it cannot.
 */
export const completeDefinition = (draft: unknown): Definition => {
  const definition = validateShape({ definition: draft }).definition as Definition
  checkDefinition(definition)
  return definition
}

/**
 * Returns the errors that would prevent publishing; empty if there are none. Missing channels and templates are not
 * checked. Throws 400 (DomainError) if the draft is too large to be saved.
 */
export const draftErrorsOf = (draft: Draft): DraftError[] => {
  checkSize(draft)
  return errorsOf(() => rejectUnfinished(completeDefinition(draft)))
}

/** Returns the validation errors of `validate`. Rethrows other errors. */
const errorsOf = (validate: () => void): DraftError[] => {
  try {
    validate()
    return []
  } catch (error) {
    if (!(error instanceof DomainError && error.details)) throw error
    return (
      Object.entries(error.details)
        .slice(0, maxDraftErrors)
        // A shortened name can end in half a surrogate pair, which PostgreSQL does not store.
        .map(([path, message]) => ({ path: path.toWellFormed(), message: message.toWellFormed() }))
    )
  }
}
