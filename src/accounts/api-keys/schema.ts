import { type Static, Type } from '@sinclair/typebox'
import { errorMessage, Id, Nullable, Time, withDescription } from '../../core/schema.ts'

export const IssueApiKey = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '\\S',
      description: 'Name of the system that will use the key.',
      ...errorMessage('Must be a text of 1 to 100 characters that names the system using the key.'),
    }),
  },
  { additionalProperties: false, $id: 'IssueApiKey' },
)
export type IssueApiKey = Static<typeof IssueApiKey>

export const ApiKey = Type.Object(
  {
    id: withDescription(Id, 'ID of the key, used to revoke it. Not a secret.'),
    name: withDescription(Type.String(), 'Name of the system that uses the key.'),
    prefix: Type.String({ description: 'First 12 characters of the key.' }),
    created: withDescription(Time, 'Time when the key was issued.'),
    createdBy: Type.Object(
      {
        id: withDescription(Id, 'User ID.'),
        name: withDescription(Nullable(Type.String()), 'Current name. Null after the account is deleted.'),
      },
      { description: 'Owner who created the key.' },
    ),
    revoked: withDescription(Nullable(Time), 'Time when the key was revoked. Null while the key is valid.'),
    lastUsedAt: withDescription(
      Nullable(Time),
      'Time of last use, accurate to one minute. Null if the key was never used.',
    ),
  },
  { $id: 'ApiKey' },
)
export type ApiKey = Static<typeof ApiKey>

export const IssuedApiKey = Type.Object(
  { ...ApiKey.properties, key: Type.String({ description: 'The key. Only returned in this response.' }) },
  { $id: 'IssuedApiKey' },
)
export type IssuedApiKey = Static<typeof IssuedApiKey>
