import { type Static, Type } from '@sinclair/typebox'
import { errorMessage, Id, Nullable, Time, withDescription } from '../../core/schema.ts'
import { TokenAccess } from '../sessions/index.ts'

const newToken = {
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '\\S',
    description: 'Name of the program that will use the token.',
    ...errorMessage('Must be a text of 1 to 100 characters that names the program using the token.'),
  }),
  expiresInDays: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 365,
      default: 90,
      description: 'Days until the token expires.',
      ...errorMessage('Must be a whole number from 1 to 365.'),
    }),
  ),
  access: TokenAccess,
}

export const CreateAccessToken = Type.Object(
  {
    ...newToken,
    workspaceId: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'Workspace in which the token acts. Defaults to the workspace that you joined first.',
        ...errorMessage('Must be the id of a workspace: a UUID.'),
      }),
    ),
  },
  { additionalProperties: false, $id: 'CreateAccessToken' },
)
export type CreateAccessToken = Static<typeof CreateAccessToken>

/** A new token of a service account. */
export const CreateMemberToken = Type.Object(newToken, { additionalProperties: false, $id: 'CreateMemberToken' })
export type CreateMemberToken = Static<typeof CreateMemberToken>

export const AccessToken = Type.Object(
  {
    id: withDescription(Id, 'ID of the token, used to revoke it. Not a secret.'),
    name: Type.String({ description: 'Name of the program that uses the token.' }),
    prefix: Type.String({ description: 'First 12 characters of the token.' }),
    access: TokenAccess,
    workspace: Type.Object(
      {
        id: withDescription(Id, 'ID of the workspace.'),
        name: Type.String({ description: 'Name of the workspace.' }),
      },
      { description: 'Workspace in which the token acts.' },
    ),
    createdAt: withDescription(Time, 'Time when the token was created.'),
    expiresAt: withDescription(Time, 'Time when the token expires. It is listed for 30 more days.'),
    lastUsedAt: withDescription(
      Nullable(Time),
      'Time of last use, accurate to one minute. Null if the token was never used.',
    ),
  },
  { $id: 'AccessToken' },
)
export type AccessToken = Static<typeof AccessToken>

export const CreatedAccessToken = Type.Object(
  {
    ...AccessToken.properties,
    token: Type.String({
      description: 'Token to send as `Authorization: Bearer <token>`. Only returned in this response.',
    }),
  },
  { $id: 'CreatedAccessToken' },
)
export type CreatedAccessToken = Static<typeof CreatedAccessToken>
