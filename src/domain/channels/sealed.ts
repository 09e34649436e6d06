/** Selects the encrypted credentials of all channels, in pages. */
import type { Sql } from '../../db/client.ts'
import type { ResealedRow, RowKey, SealedTable } from '../sealing.ts'
import { placeOfCredentials } from './credentials.ts'

const findSealedChannels = (sql: Sql, after: RowKey, limit: number) => sql<
  (RowKey & { version: string; credentials: Buffer })[]
>`
  select workspace_id as "workspaceId", id, xmin::text as version, credentials from channels
  where credentials is not null and (workspace_id, id) > (${after.workspaceId}, ${after.id})
  order by workspace_id, id limit ${limit}`

const replaceSealedOfChannels = async (sql: Sql, rows: ResealedRow[]): Promise<string[]> => {
  const resealed = rows.map(({ workspaceId, id, version, sealed }) => ({
    workspace_id: workspaceId,
    id,
    version,
    ...sealed,
  }))
  const replaced = await sql<{ id: string }[]>`
    update channels ch set credentials = decode(r.credentials, 'hex')
    from json_to_recordset(${JSON.stringify(resealed)}::text::json)
      as r(workspace_id uuid, id uuid, version text, credentials text)
    where ch.workspace_id = r.workspace_id and ch.id = r.id and ch.xmin::text = r.version
    returning r.id`
  return replaced.map(({ id }) => id)
}

export const sealedOfChannels: SealedTable = {
  findPage: async (sql, after, limit) =>
    (await findSealedChannels(sql, after, limit)).map(({ workspaceId, id, version, credentials }) => ({
      workspaceId,
      id,
      version,
      values: [
        {
          kind: 'credentials of channels',
          column: 'credentials',
          sealed: credentials,
          place: placeOfCredentials({ workspaceId, channelId: id }),
        },
      ],
    })),
  replace: replaceSealedOfChannels,
}
