/** Schemas of drafts and of their errors. */
import { type Static, Type } from '@sinclair/typebox'
import { ByName, described, message } from '../schema.ts'
import { maxExits } from './exit-on.ts'

/** Maximum number of errors listed for a draft. */
export const maxDraftErrors = 20

const Unchecked = (description: string) => Type.Object({}, { additionalProperties: true, description })

/** Unfinished definition. Its outline is checked when it is saved, the rest when it is published. */
export const WorkflowDraft = Type.Object(
  {
    trigger: Unchecked('The `trigger` of a definition, as far as it is written.'),
    entry: Type.Optional(Unchecked('The `entry` of a definition.')),
    exitOn: Type.Optional(
      Type.Array(Unchecked('An entry of the `exitOn` of a definition.'), {
        maxItems: maxExits,
        description: 'The `exitOn` of a definition.',
        ...message(`Must be a list of at most ${maxExits} objects.`),
      }),
    ),
    start: Type.String({
      maxLength: 64,
      description: 'The id of the first step; may be empty.',
      ...message('Must be a text of at most 64 characters.'),
    }),
    steps: ByName(
      Type.Object(
        {
          type: Type.String({
            maxLength: 64,
            description: 'The type of the step.',
            ...message('Must be a text of at most 64 characters.'),
          }),
          any: Type.Optional(
            Type.Array(Unchecked('An exit.'), {
              maxItems: 10,
              description: 'The exits of a `wait_for`.',
              ...message('Must be a list of at most 10 objects.'),
            }),
          ),
        },
        { additionalProperties: true, ...message('Must be an object with a type.') },
      ),
      {
        minProperties: 1,
        maxProperties: 200,
        description: 'The steps by their ids, at most 200, as far as they are written.',
        ...message('Must be an object of 1 to 200 steps by their ids.'),
      },
    ),
  },
  {
    additionalProperties: false,
    $id: 'WorkflowDraft',
    description:
      'A definition in the making. It has the fields of `WorkflowDefinition`, whose contents may still be incomplete.',
  },
)
export type Draft = Static<typeof WorkflowDraft>

export const DraftError = Type.Object(
  {
    path: described(Type.String(), 'Where in the definition, such as `definition.steps.thanks.text`.'),
    message: described(Type.String(), 'What is wrong, and what to do.'),
  },
  { $id: 'DraftError' },
)
export type DraftError = Static<typeof DraftError>
