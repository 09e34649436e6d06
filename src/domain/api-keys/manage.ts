import type { Sql } from '../../db/client.ts'
import { audited } from '../audited.ts'
import { DomainError, notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import type { PageQuery } from '../schema.ts'
import { hashSecret, newSecret } from '../secrets.ts'
import { verb } from '../verb.ts'
import type { ApiKey, IssueApiKey, IssuedApiKey } from './schema.ts'
import { type ApiKeyRow, insertApiKey, lockAndCountLivingKeys, markApiKeyRevoked, selectApiKeys } from './sql.ts'

const prefixLength = 12
/** Maximum number of keys of one workspace that are not revoked (contract 2.2). */
const maxLiving = 100

/** Creates a key in the caller's workspace. Its value is only returned here. */
export const issueApiKey = verb(
  { by: 'owner', feature: 'api' },
  async (ctx, { name }: IssueApiKey): Promise<IssuedApiKey> => {
    const key = newSecret('ces_')
    const { workspaceId } = ctx.caller
    const prefix = key.slice(0, prefixLength)
    const row = await audited(
      ctx,
      async ({ sql }) => {
        await requirePlace(sql, workspaceId)
        return insertApiKey(sql, { workspaceId, name, prefix, keyHash: hashSecret(key) })
      },
      ({ id }) => ({ action: 'issueApiKey', target: { type: 'api_key', id }, detail: { name, prefix } }),
    )
    return { ...shape(row), key }
  },
)

const requirePlace = async (tx: Sql, workspaceId: string): Promise<void> => {
  if ((await lockAndCountLivingKeys(tx, workspaceId, maxLiving)) < maxLiving) return
  throw new DomainError(
    'unprocessable',
    `A workspace has at most ${maxLiving} API keys that are not revoked. Revoke one that nothing uses any more.`,
  )
}

/** Lists the keys of the workspace, including revoked ones. */
export const listApiKeys = verb({ by: 'owner' }, async ({ sql, caller }, query: PageQuery): Promise<PageOf<ApiKey>> => {
  const page = pageRequest(query)
  return pageOf(await selectApiKeys(sql, caller.workspaceId, page), page.limit, shape)
})

/** Revokes a key. It is rejected by every process once this returns, because no process caches verified keys. */
export const revokeApiKey = verb({ by: 'owner' }, async (ctx, id: string): Promise<void> => {
  if (!isId(id)) throw notFound('API key')
  const { workspaceId } = ctx.caller
  const key = await audited(
    ctx,
    ({ sql }) => markApiKeyRevoked(sql, workspaceId, id),
    revoked =>
      revoked?.now
        ? {
            action: 'revokeApiKey',
            target: { type: 'api_key', id },
            detail: { name: revoked.name, prefix: revoked.prefix },
          }
        : null,
  )
  if (!key) throw notFound('API key')
})

const shape = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  created: row.createdAt.toISOString(),
  revoked: row.revokedAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
})
