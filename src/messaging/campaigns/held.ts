/** Campaigns that are due in a restored database. */

import { writeOperatorEntry } from '../../accounts/audit/index.ts'
import { type Database, type Sql, transaction } from '../../platform/postgres/client.ts'
import { countByAge } from '../../queue/hold/index.ts'
import { wakeCampaign } from '../../queue/tasks.ts'
import type { CampaignStatus } from './schema.ts'
import { updateCampaignStatus } from './sql.ts'

/** Only these send. A cancelled campaign can be due to skip its recipients. */
const sendingStatuses: readonly CampaignStatus[] = ['scheduled', 'running']

/** Counts the due campaigns of a workspace. */
export const countHeldCampaigns = (sql: Sql, workspaceId: string) =>
  countByAge(
    sql,
    sql`select c.due_at as since from campaigns c
      where c.workspace_id = ${workspaceId} and c.due_at <= now() and c.status = any(${[...sendingStatuses]}::text[])`,
  )

/** Cancels a page of campaigns that are due since a time before `before`. Returns their number. */
export const cancelHeldCampaigns = async (
  sql: Database,
  { workspaceId, before, limit }: { workspaceId: string; before: Date; limit: number },
): Promise<number> => {
  const rows = await findHeldCampaigns(sql, { workspaceId, before, limit })
  for (const { id } of rows)
    await transaction(sql, async tx => {
      const cancelled = await updateCampaignStatus(tx, { workspaceId, id, from: sendingStatuses, to: 'cancelled' })
      if (!cancelled) return
      await wakeCampaign(tx, workspaceId, id)
      const detail = { name: cancelled.name, reason: 'skipped_after_restore' }
      await writeOperatorEntry(tx, workspaceId, { action: 'cancelCampaign', target: { type: 'campaign', id }, detail })
    })
  return rows.length
}

const findHeldCampaigns = (sql: Sql, p: { workspaceId: string; before: Date; limit: number }) => sql<{ id: string }[]>`
  select c.id from campaigns c
  where c.workspace_id = ${p.workspaceId} and c.due_at < ${p.before} and c.status = any(${[...sendingStatuses]}::text[])
  order by c.id limit ${p.limit}`
