import { type Static, Type } from '@sinclair/typebox'
import { described, Id, Nullable } from '../schema.ts'

export const User = Type.Object(
  {
    id: described(Id, 'The person.'),
    email: Type.String({ description: 'The address of the account.' }),
    name: Type.String({ description: 'What the person is called.' }),
    locale: Nullable(
      Type.String({
        description: 'How the person reads: a language tag such as `de-AT`; null where they did not say.',
      }),
    ),
    timezone: Nullable(Type.String({ description: 'Where the person is: IANA; null where they did not say.' })),
  },
  { $id: 'User', description: 'A person who can sign in.' },
)
export type User = Static<typeof User>
