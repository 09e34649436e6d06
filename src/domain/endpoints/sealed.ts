/** The encrypted values of endpoints, for key rotation. */
import type { Sql } from '../../db/client.ts'
import type { ResealedRow, RowKey, SealedRow, SealedTable } from '../sealing.ts'
import { placeOfHeaders } from './headers.ts'
import { placeOfSecrets } from './secrets.ts'

interface Row extends RowKey {
  version: string
  secret: Buffer | null
  previous: Buffer | null
  headers: Buffer | null
}

const findSealedWebhooks = (sql: Sql, after: RowKey, limit: number) => sql<Row[]>`
  select workspace_id as "workspaceId", id, xmin::text as version, sealed_secret as secret, sealed_previous_secret as previous,
    headers
  from webhooks
  where (sealed_secret is not null or sealed_previous_secret is not null or headers is not null)
    and (workspace_id, id) > (${after.workspaceId}, ${after.id})
  order by workspace_id, id limit ${limit}`

const replaceSealedOfWebhooks = async (sql: Sql, rows: ResealedRow[]): Promise<string[]> => {
  const resealed = rows.map(({ workspaceId, id, version, sealed }) => ({
    workspace_id: workspaceId,
    id,
    version,
    ...sealed,
  }))
  const replaced = await sql<{ id: string }[]>`
    update webhooks w set
      sealed_secret = coalesce(decode(r.secret, 'hex'), w.sealed_secret),
      sealed_previous_secret = coalesce(decode(r.previous, 'hex'), w.sealed_previous_secret),
      headers = coalesce(decode(r.headers, 'hex'), w.headers)
    from json_to_recordset(${JSON.stringify(resealed)}::text::json)
      as r(workspace_id uuid, id uuid, version text, secret text, previous text, headers text)
    where w.workspace_id = r.workspace_id and w.id = r.id and w.xmin::text = r.version
    returning r.id`
  return replaced.map(({ id }) => id)
}

const shape = ({ workspaceId, id, version, secret, previous, headers }: Row): SealedRow => {
  const of = { workspaceId, webhookId: id }
  const secrets = { kind: 'webhook secrets', place: placeOfSecrets(of) }
  return {
    workspaceId,
    id,
    version,
    values: [
      ...(secret ? [{ ...secrets, column: 'secret', sealed: secret }] : []),
      ...(previous ? [{ ...secrets, column: 'previous', sealed: previous }] : []),
      ...(headers
        ? [{ kind: 'headers of webhooks', place: placeOfHeaders(of), column: 'headers', sealed: headers }]
        : []),
    ],
  }
}

export const sealedOfWebhooks: SealedTable = {
  findPage: async (sql, after, limit) => (await findSealedWebhooks(sql, after, limit)).map(shape),
  replace: replaceSealedOfWebhooks,
}
