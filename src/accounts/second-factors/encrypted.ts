/** Encrypted secrets of all second factors, in pages, for re-encryption. */

import { type EncryptedTable, type ReencryptedRow, toRecords } from '../../platform/encryption.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { totpAad } from './totp.ts'

/** Placeholder workspace, because users belong to no workspace. */
const noWorkspaceId = '00000000-0000-0000-0000-000000000000'

const findEncryptedFactors = (sql: Sql, after: string, limit: number) => sql<
  { id: string; version: string; secret: Buffer }[]
>`
  select user_id as id, xmin::text as version, secret from second_factors
  where user_id > ${after} order by user_id limit ${limit}`

const replaceEncryptedFactors = async (sql: Sql, rows: ReencryptedRow[]): Promise<string[]> => {
  const replaced = await sql<{ id: string }[]>`
    update second_factors f set secret = decode(r.secret, 'hex')
    from json_to_recordset(${JSON.stringify(toRecords(rows))}::text::json) as r(id uuid, version text, secret text)
    where f.user_id = r.id and f.xmin::text = r.version
    returning r.id`
  return replaced.map(({ id }) => id)
}

export const encryptedFactors: EncryptedTable = {
  findPage: async (sql, { id: after }, limit) =>
    (await findEncryptedFactors(sql, after, limit)).map(({ id, version, secret }) => ({
      workspaceId: noWorkspaceId,
      id,
      version,
      values: [{ kind: 'second factors', column: 'secret', encrypted: secret, aad: totpAad(id) }],
    })),
  replace: replaceEncryptedFactors,
}
