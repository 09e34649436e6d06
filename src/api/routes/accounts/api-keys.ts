import {
  ApiKey,
  IssueApiKey,
  IssuedApiKey,
  issueApiKey,
  listApiKeys,
  revokeApiKey,
} from '../../../accounts/api-keys/index.ts'
import { Page, PageQuery } from '../../../core/schema.ts'
import { type Operation, operation } from '../../operation.ts'

const tag = 'API keys'

export const apiKeyRoutes = (): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/api-keys',
    id: 'issueApiKey',
    verb: issueApiKey,
    tag,
    summary: 'Create an API key',
    description:
      'Creates an API key. Only this response contains the key; the service stores only its SHA-256 hash. A workspace can have at most 100 active keys (422). Active keys are keys that are not revoked. A workspace can have at most 1,000 keys, including revoked ones (422).',
    body: IssueApiKey,
    example: { name: 'web shop' },
    answers: {
      201: {
        description: 'The new key.',
        schema: IssuedApiKey,
        example: { ...example, key: 'ces_Y2FyZWZ1bGx5IGNob3NlbiBieXRlcyBmb3IgYW4gZXg' },
      },
    },
    errors: {
      unprocessable:
        'the workspace already has 100 active keys. Revoke a key that is not used any more. Or it has 1,000 keys, including revoked ones.',
    },
    args: ({ body }) => [body],
  }),
  operation({
    method: 'GET',
    path: '/v1/api-keys',
    id: 'listApiKeys',
    verb: listApiKeys,
    tag,
    summary: 'List API keys',
    description: 'Returns API keys, newest first. Revoked keys are included.',
    query: PageQuery,
    answers: {
      200: { description: 'A page of keys.', schema: Page(ApiKey), example: { data: [example], nextCursor: null } },
    },
    args: ({ query }) => [query],
  }),
  operation({
    method: 'DELETE',
    path: '/v1/api-keys/:id',
    id: 'revokeApiKey',
    verb: revokeApiKey,
    tag,
    summary: 'Revoke an API key',
    description: 'Revokes the key immediately and everywhere. Revoking a revoked key has no effect.',
    answers: { 204: { description: 'The key is revoked.' } },
    args: ({ params }) => [params.id!],
  }),
]

const example: ApiKey = {
  id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7a01',
  name: 'web shop',
  prefix: 'ces_Y2FyZWZ1',
  created: '2026-03-01T09:30:00.000Z',
  createdBy: { id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7a02', name: 'Ada' },
  revoked: null,
  lastUsedAt: null,
}
