/** Schemas of step IDs and of references to the next step. */
import { Type } from '@sinclair/typebox'
import { message } from '../schema.ts'

export const stepIdPattern = /^[A-Za-z][A-Za-z0-9_?-]{0,63}$/
export const stepIdWanted = message('Must be a step id: a letter, then letters, digits, _, - or ?; 64 in all at most.')
export const StepId = Type.String({ pattern: stepIdPattern.source, ...stepIdWanted })

/** ID of the next step. Null ends the run. */
export const Next = Type.Union([StepId, Type.Null()], {
  description: 'ID of the next step. Null ends the run.',
  ...message(
    'Must be the id of the step that follows: a letter, then letters, digits, _, - or ?; or null to end the run.',
  ),
})
