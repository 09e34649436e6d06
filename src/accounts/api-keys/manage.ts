import { DomainError, notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { type PageOf, toPage, toPageRequest } from '../../core/pagination.ts'
import type { PageQuery } from '../../core/schema.ts'
import { hashSecret, newSecret } from '../../core/secrets.ts'
import { verb } from '../../core/verb.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { enqueueMail } from '../../queue/tasks.ts'
import { withAudit } from '../audit/index.ts'
import { findUserNames } from '../users/index.ts'
import type { ApiKey, IssueApiKey, IssuedApiKey } from './schema.ts'
import { type ApiKeyRow, insertApiKey, lockAndCountKeys, markApiKeyRevoked, selectApiKeys } from './sql.ts'

const prefixLength = 12
/** Maximum number of keys of one workspace: that are not revoked, and including revoked ones (contract 2.2). */
const maxKeys = { active: 100, all: 1000 }

/** Creates a key in the caller's workspace. Its value is only returned here. */
export const issueApiKey = verb(
  { by: 'owner', feature: 'api', sessionOnly: true },
  async (ctx, { name }: IssueApiKey): Promise<IssuedApiKey> => {
    const key = newSecret('ces_')
    const { workspaceId, id: createdBy } = ctx.caller
    const prefix = key.slice(0, prefixLength)
    const row = await withAudit(
      ctx,
      async ({ sql }) => {
        await requireUnderLimit(sql, workspaceId)
        const created = await insertApiKey(sql, {
          workspaceId,
          name,
          prefix,
          keyHash: hashSecret(key),
          createdBy,
        })
        await notifyOwners(sql, 'API key created', { workspaceId, id: created.id, at: created.createdAt })
        return created
      },
      ({ id }) => ({ action: 'issueApiKey', target: { type: 'api_key', id }, detail: { name, prefix } }),
    )
    return { ...shape(row, await findCreatorNames(ctx.sql, [row])), key }
  },
)

/** Enqueues a mail to the owners of the workspace. */
const notifyOwners = (
  sql: Sql,
  of: 'API key created' | 'API key revoked',
  { workspaceId, id, at }: { workspaceId: string; id: string; at: Date },
) => enqueueMail(sql, { kind: 'notice', of, workspaceId, id, since: at.toISOString(), to: null })

const requireUnderLimit = async (tx: Sql, workspaceId: string): Promise<void> => {
  const { active, all } = await lockAndCountKeys(tx, workspaceId, maxKeys)
  if (active >= maxKeys.active)
    throw new DomainError(
      'unprocessable',
      `A workspace has at most ${maxKeys.active} API keys that are not revoked. Revoke a key that is not used any more.`,
    )
  if (all >= maxKeys.all)
    throw new DomainError(
      'unprocessable',
      'A workspace has at most 1,000 API keys, including revoked ones. Use an existing key, or ask the operator for help.',
    )
}

/** Lists the keys of the workspace, including revoked ones. */
export const listApiKeys = verb({ by: 'owner' }, async ({ sql, caller }, query: PageQuery): Promise<PageOf<ApiKey>> => {
  const page = toPageRequest(query)
  const rows = await selectApiKeys(sql, caller.workspaceId, page)
  const names = await findCreatorNames(sql, rows)
  return toPage(rows, page, row => shape(row, names))
})

/** Revokes a key. It is rejected by every process once this returns, because no process caches verified keys. */
export const revokeApiKey = verb({ by: 'owner' }, async (ctx, id: string): Promise<void> => {
  if (!isId(id)) throw notFound('API key')
  const { workspaceId } = ctx.caller
  const key = await withAudit(
    ctx,
    async ({ sql }) => {
      const revoked = await markApiKeyRevoked(sql, workspaceId, id)
      if (revoked?.now) await notifyOwners(sql, 'API key revoked', { workspaceId, id, at: revoked.revokedAt })
      return revoked
    },
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

/** Returns the current names of the people who created these keys, by id. Deleted accounts are missing. */
const findCreatorNames = async (sql: Sql, rows: ApiKeyRow[]): Promise<Map<string, string>> => {
  const users = rows.length === 0 ? [] : await findUserNames(sql, [...new Set(rows.map(row => row.createdBy))])
  return new Map(users.map(({ id, name }) => [id, name]))
}

const shape = (row: ApiKeyRow, names: Map<string, string>): ApiKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  created: row.createdAt.toISOString(),
  createdBy: { id: row.createdBy, name: names.get(row.createdBy) ?? null },
  revoked: row.revokedAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
})
