import { type Static, Type } from '@sinclair/typebox'
import { errorMessage } from '../../core/schema.ts'

export const maxWords = 100

export const OptOutWords = Type.Object(
  {
    words: Type.Array(
      Type.String({
        minLength: 1,
        maxLength: 50,
        pattern: '\\S',
        ...errorMessage('Must be a text of 1 to 50 characters that is not all white space.'),
      }),
      {
        maxItems: maxWords,
        description:
          'Words of the workspace, in addition to the built-in words. Each entry is a word or phrase that must be the whole message.',
        ...errorMessage(`Must be a list of at most ${maxWords} words.`),
      },
    ),
  },
  { additionalProperties: false, $id: 'OptOutWords' },
)
export type OptOutWords = Static<typeof OptOutWords>
