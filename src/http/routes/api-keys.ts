import {
  ApiKey,
  IssueApiKey,
  IssuedApiKey,
  issueApiKey,
  listApiKeys,
  revokeApiKey,
} from '../../domain/api-keys/index.ts'
import { Page, PageQuery } from '../../domain/schema.ts'
import { type Operation, operation } from '../operation.ts'

const tag = 'API keys'

export const apiKeyRoutes = (): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/api-keys',
    id: 'issueApiKey',
    tag,
    summary: 'Issue an API key',
    description: 'The key is in this answer and in no other; only its SHA-256 is kept.',
    access: 'owner',
    feature: 'api',
    body: IssueApiKey,
    example: { name: 'web shop' },
    answers: {
      201: {
        description: 'The new key.',
        schema: IssuedApiKey,
        example: { ...example, key: 'ces_Y2FyZWZ1bGx5IGNob3NlbiBieXRlcyBmb3IgYW4gZXg' },
      },
    },
    handle: async (ctx, { body }) => ({ status: 201, body: await issueApiKey(ctx, body) }),
  }),
  operation({
    method: 'GET',
    path: '/v1/api-keys',
    id: 'listApiKeys',
    tag,
    summary: 'List API keys',
    description: 'Newest first; revoked keys stay listed.',
    access: 'owner',
    query: PageQuery,
    answers: {
      200: { description: 'A page of keys.', schema: Page(ApiKey), example: { data: [example], nextCursor: null } },
    },
    handle: async (ctx, { query }) => ({ status: 200, body: await listApiKeys(ctx, query) }),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/api-keys/:id',
    id: 'revokeApiKey',
    tag,
    summary: 'Revoke an API key',
    description: 'Takes effect at once, everywhere. Revoking a revoked key changes nothing.',
    access: 'owner',
    answers: { 204: { description: 'The key opens nothing from now on.' } },
    handle: async (ctx, { params }) => {
      await revokeApiKey(ctx, params.id!)
      return { status: 204 }
    },
  }),
]

const example: ApiKey = {
  id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7a01',
  name: 'web shop',
  prefix: 'ces_Y2FyZWZ1',
  created: '2026-03-01T09:30:00.000Z',
  revoked: null,
  lastUsedAt: null,
}
