import { type Static, Type } from '@sinclair/typebox'
import { Id, Nullable, withDescription } from '../../core/schema.ts'

export const User = Type.Object(
  {
    id: withDescription(Id, 'ID of the person.'),
    email: Type.String({ description: 'E-mail address of the account.' }),
    name: Type.String({ description: 'Name of the person.' }),
    locale: Nullable(
      Type.String({
        description: 'Preferred language as a language tag, for example `de-AT`. Null if not set.',
      }),
    ),
    timezone: Nullable(Type.String({ description: 'IANA time zone of the person. Null if not set.' })),
  },
  { $id: 'User', description: 'A person who can sign in.' },
)
export type User = Static<typeof User>
