import { type Static, Type } from '@sinclair/typebox'
import { described, Id, message, Nullable, Time } from '../schema.ts'

export const IssueApiKey = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '\\S',
      description: 'The system that will use the key.',
      ...message('Must be a text of 1 to 100 characters that names the system using the key.'),
    }),
  },
  { additionalProperties: false, $id: 'IssueApiKey' },
)
export type IssueApiKey = Static<typeof IssueApiKey>

export const ApiKey = Type.Object(
  {
    id: described(Id, 'The key, by which it is revoked; no secret.'),
    name: described(Type.String(), 'The system that uses it.'),
    prefix: Type.String({ description: 'The first 12 characters of the key.' }),
    created: described(Time, 'When it was issued.'),
    revoked: described(Nullable(Time), 'Since when it opens nothing; null while it is good.'),
    lastUsedAt: described(Nullable(Time), 'When it was last used, up to a minute behind; null for one never used.'),
  },
  { $id: 'ApiKey' },
)
export type ApiKey = Static<typeof ApiKey>

export const IssuedApiKey = Type.Object(
  { ...ApiKey.properties, key: Type.String({ description: 'The key itself, shown only in this answer.' }) },
  { $id: 'IssuedApiKey' },
)
export type IssuedApiKey = Static<typeof IssuedApiKey>
