/** Encrypted secrets of all second factors, in pages, for re-encryption. */
import type { Sql } from '../../db/client.ts'
import type { ResealedRow, SealedTable } from '../sealing.ts'
import { placeOfTotp } from './totp.ts'

/** Placeholder workspace, because users belong to no workspace. */
const nobodys = '00000000-0000-0000-0000-000000000000'

const findSealedFactors = (sql: Sql, after: string, limit: number) => sql<
  { id: string; version: string; secret: Buffer }[]
>`
  select user_id as id, xmin::text as version, secret from second_factors
  where user_id > ${after} order by user_id limit ${limit}`

const replaceSealedOfFactors = async (sql: Sql, rows: ResealedRow[]): Promise<string[]> => {
  const resealed = rows.map(({ id, version, sealed }) => ({ id, version, ...sealed }))
  const replaced = await sql<{ id: string }[]>`
    update second_factors f set secret = decode(r.secret, 'hex')
    from json_to_recordset(${JSON.stringify(resealed)}::text::json) as r(id uuid, version text, secret text)
    where f.user_id = r.id and f.xmin::text = r.version
    returning r.id`
  return replaced.map(({ id }) => id)
}

export const sealedOfFactors: SealedTable = {
  findPage: async (sql, { id: after }, limit) =>
    (await findSealedFactors(sql, after, limit)).map(({ id, version, secret }) => ({
      workspaceId: nobodys,
      id,
      version,
      values: [{ kind: 'second factors', column: 'secret', sealed: secret, place: placeOfTotp(id) }],
    })),
  replace: replaceSealedOfFactors,
}
