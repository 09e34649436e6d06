/** Selects the encrypted credentials of all channels, in pages. */

import { type EncryptedTable, type ReencryptedRow, type RowKey, toRecords } from '../../platform/encryption.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { credentialsAad } from './credentials.ts'

const findEncryptedChannels = (sql: Sql, after: RowKey, limit: number) => sql<
  (RowKey & { version: string; credentials: Buffer })[]
>`
  select workspace_id as "workspaceId", id, xmin::text as version, credentials from channels
  where credentials is not null and (workspace_id, id) > (${after.workspaceId}, ${after.id})
  order by workspace_id, id limit ${limit}`

const replaceEncryptedChannels = async (sql: Sql, rows: ReencryptedRow[]): Promise<string[]> => {
  const replaced = await sql<{ id: string }[]>`
    update channels ch set credentials = decode(r.credentials, 'hex')
    from json_to_recordset(${JSON.stringify(toRecords(rows))}::text::json)
      as r(workspace_id uuid, id uuid, version text, credentials text)
    where ch.workspace_id = r.workspace_id and ch.id = r.id and ch.xmin::text = r.version
    returning r.id`
  return replaced.map(({ id }) => id)
}

export const encryptedChannels: EncryptedTable = {
  findPage: async (sql, after, limit) =>
    (await findEncryptedChannels(sql, after, limit)).map(({ workspaceId, id, version, credentials }) => ({
      workspaceId,
      id,
      version,
      values: [
        {
          kind: 'credentials of channels',
          column: 'credentials',
          encrypted: credentials,
          aad: credentialsAad({ workspaceId, channelId: id }),
        },
      ],
    })),
  replace: replaceEncryptedChannels,
}
