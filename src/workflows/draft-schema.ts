/** Schemas of drafts and of their errors. */
import { type Static, Type } from '@sinclair/typebox'
import { errorMessage, StringMap, withDescription } from '../core/schema.ts'
import { maxExits } from './exit-on.ts'

/** Maximum number of errors listed for a draft. */
export const maxDraftErrors = 20

const Unchecked = (description: string) => Type.Object({}, { additionalProperties: true, description })

/** Unfinished definition. Its outline is checked when it is saved, the rest when it is published. */
export const WorkflowDraft = Type.Object(
  {
    trigger: Unchecked('`trigger` of a definition. Can be incomplete.'),
    entry: Type.Optional(Unchecked('`entry` of a definition.')),
    exitOn: Type.Optional(
      Type.Array(Unchecked('An entry of `exitOn` of a definition.'), {
        maxItems: maxExits,
        description: '`exitOn` of a definition.',
        ...errorMessage(`Must be a list of at most ${maxExits} objects.`),
      }),
    ),
    start: Type.String({
      maxLength: 64,
      description: 'ID of the first step. Can be empty.',
      ...errorMessage('Must be a text of at most 64 characters.'),
    }),
    steps: StringMap(
      Type.Object(
        {
          type: Type.String({
            maxLength: 64,
            description: 'Type of the step.',
            ...errorMessage('Must be a text of at most 64 characters.'),
          }),
          any: Type.Optional(
            Type.Array(Unchecked('Exit of a `wait_for` step.'), {
              maxItems: 10,
              description: 'Exits of a `wait_for` step.',
              ...errorMessage('Must be a list of at most 10 objects.'),
            }),
          ),
        },
        { additionalProperties: true, ...errorMessage('Must be an object with a type.') },
      ),
      {
        minProperties: 1,
        maxProperties: 200,
        description: 'Steps by ID, at most 200. Can be incomplete.',
        ...errorMessage('Must be an object of 1 to 200 steps by their ids.'),
      },
    ),
  },
  {
    additionalProperties: false,
    $id: 'WorkflowDraft',
    description:
      'An unfinished definition. It has the fields of `WorkflowDefinition`, whose contents can be incomplete.',
  },
)
export type Draft = Static<typeof WorkflowDraft>

export const DraftError = Type.Object(
  {
    path: withDescription(Type.String(), 'Path in the definition, for example `definition.steps.thanks.text`.'),
    message: withDescription(Type.String(), 'The problem, and how to solve it.'),
  },
  { $id: 'DraftError' },
)
export type DraftError = Static<typeof DraftError>
