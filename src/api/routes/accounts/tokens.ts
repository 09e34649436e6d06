/** Routes for the access tokens of a signed-in person. */

import {
  AccessToken,
  CreateAccessToken,
  CreatedAccessToken,
  createAccessToken,
  listAccessTokens,
  revokeAccessToken,
} from '../../../accounts/tokens/index.ts'
import { Page, PageQuery } from '../../../core/schema.ts'
import type { Database } from '../../../platform/postgres/client.ts'
import { type Operation, publicOperation } from '../../operation.ts'

const tag = 'Account'

export const tokenRoutes = ({ sql }: { sql: Database }): Operation[] => [
  publicOperation({
    method: 'POST',
    path: '/v1/auth/tokens',
    id: 'createAccessToken',
    tag,
    summary: 'Create an access token',
    description:
      'Creates a credential for a script or program. It acts in one workspace with the role that you have at the time of each call. Only this response contains the token; the service stores only its SHA-256 hash. You can have at most 20 tokens that have not expired (422).',
    access: 'session',
    body: CreateAccessToken,
    example: { name: 'deploy script', access: 'write', expiresInDays: 90 },
    answers: {
      201: {
        description: 'The new token.',
        schema: CreatedAccessToken,
        example: { ...exampleToken(), token: 'cest_Y2FyZWZ1bGx5IGNob3NlbiBieXRlcyBmb3IgYW4gZXg' },
      },
    },
    errors: {
      not_found: 'you are not a member of the workspace in `workspaceId`.',
      unprocessable: 'you already have 20 tokens that have not expired. Revoke a token that is not used any more.',
    },
    handle: async call => ({
      status: 201,
      body: await createAccessToken(sql, call.session!.row, call.body, call),
    }),
  }),
  publicOperation({
    method: 'GET',
    path: '/v1/auth/tokens',
    id: 'listAccessTokens',
    tag,
    summary: 'List your access tokens',
    description:
      'Returns your access tokens in all workspaces, newest first. Expired tokens are listed for 30 days. Revoked tokens are not included.',
    access: 'session',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page of tokens.',
        schema: Page(AccessToken),
        example: { data: [exampleToken()], nextCursor: null },
      },
    },
    handle: async ({ session, query }) => ({ status: 200, body: await listAccessTokens(sql, session!.row, query) }),
  }),
  publicOperation({
    method: 'DELETE',
    path: '/v1/auth/tokens/:id',
    id: 'revokeAccessToken',
    tag,
    summary: 'Revoke an access token',
    description: 'Revokes the token immediately and everywhere.',
    access: 'session',
    answers: { 204: { description: 'The token is revoked.' } },
    errors: { not_found: 'you have no such token, or it was revoked already.' },
    handle: async call => {
      await revokeAccessToken(sql, call.session!.row, call.params.id!, call)
      return { status: 204 }
    },
  }),
]

/** An example of a token. */
export function exampleToken(): AccessToken {
  return {
    id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b10',
    name: 'deploy script',
    prefix: 'cest_Y2FyZWZ',
    access: 'write',
    workspace: { id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b02', name: 'My workspace' },
    createdAt: '2026-03-01T09:30:00.000Z',
    expiresAt: '2026-05-30T09:30:00.000Z',
    lastUsedAt: null,
  }
}
