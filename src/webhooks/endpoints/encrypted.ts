/** The encrypted values of endpoints, for key rotation. */

import {
  type EncryptedRow,
  type EncryptedTable,
  type ReencryptedRow,
  type RowKey,
  toRecords,
} from '../../platform/encryption.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { headersAad } from './headers.ts'
import { readPlaintextSecret, secretsAad } from './secrets.ts'

interface Row extends RowKey {
  version: string
  secret: Buffer | null
  previous: Buffer | null
  headers: Buffer | null
}

const findEncryptedWebhooks = (sql: Sql, after: RowKey, limit: number) => sql<Row[]>`
  select workspace_id as "workspaceId", id, xmin::text as version, secret, previous_secret as previous,
    headers
  from webhooks
  where deleted_at is null and (workspace_id, id) > (${after.workspaceId}, ${after.id})
  order by workspace_id, id limit ${limit}`

const replaceEncryptedWebhooks = async (sql: Sql, rows: ReencryptedRow[]): Promise<string[]> => {
  const replaced = await sql<{ id: string }[]>`
    update webhooks w set
      secret = coalesce(decode(r.secret, 'hex'), w.secret),
      previous_secret = coalesce(decode(r.previous, 'hex'), w.previous_secret),
      headers = coalesce(decode(r.headers, 'hex'), w.headers)
    from json_to_recordset(${JSON.stringify(toRecords(rows))}::text::json)
      as r(workspace_id uuid, id uuid, version text, secret text, previous text, headers text)
    where w.workspace_id = r.workspace_id and w.id = r.id and w.xmin::text = r.version
    returning r.id`
  return replaced.map(({ id }) => id)
}

const shape = ({ workspaceId, id, version, secret, previous, headers }: Row): EncryptedRow => {
  const endpoint = { workspaceId, webhookId: id }
  const toSecretValue = (column: string, encrypted: Buffer) => ({
    kind: 'webhook secrets',
    aad: secretsAad(endpoint),
    column,
    encrypted,
    plaintext: readPlaintextSecret(encrypted) ?? undefined,
  })
  return {
    workspaceId,
    id,
    version,
    values: [
      ...(secret ? [toSecretValue('secret', secret)] : []),
      ...(previous ? [toSecretValue('previous', previous)] : []),
      ...(headers
        ? [{ kind: 'headers of webhooks', aad: headersAad(endpoint), column: 'headers', encrypted: headers }]
        : []),
    ],
  }
}

/** Returns whether a workspace has an endpoint whose secret is stored in plain text. */
export const hasPlaintextSecrets = async (sql: Sql, workspaceId: string): Promise<boolean> => {
  const rows = await sql<Pick<Row, 'secret' | 'previous'>[]>`
    select secret, previous_secret as previous from webhooks
    where workspace_id = ${workspaceId} and deleted_at is null`
  return rows.some(({ secret, previous }) =>
    [secret, previous].some(stored => stored && readPlaintextSecret(stored) !== null),
  )
}

export const encryptedWebhooks: EncryptedTable = {
  findPage: async (sql, after, limit) => (await findEncryptedWebhooks(sql, after, limit)).map(shape),
  replace: replaceEncryptedWebhooks,
}
