/** Schemas of step IDs and of references to the next step. */
import { Type } from '@sinclair/typebox'
import { errorMessage } from '../core/schema.ts'

export const stepIdPattern = /^[A-Za-z][A-Za-z0-9_?-]{0,63}$/
export const stepIdMessage = errorMessage(
  'Must be a step ID: a letter, then letters, digits, _, - or ?, at most 64 characters.',
)
export const StepId = Type.String({ pattern: stepIdPattern.source, ...stepIdMessage })

/** ID of the next step. Null ends the run. */
export const Next = Type.Union([StepId, Type.Null()], {
  description: 'ID of the next step. Null ends the run.',
  ...errorMessage(
    'Must be the ID of the next step, or null to end the run. An ID is a letter, then letters, digits, _, - or ?.',
  ),
})
