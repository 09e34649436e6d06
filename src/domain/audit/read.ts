import { maxLookedAt, pageOfLook } from '../look.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import { verb } from '../verb.ts'
import type { AuditEntry, AuditQuery } from './schema.ts'
import { type EntryRow, findLastEntryLookedAt, findNamesOfPeople, isLookedFor, selectEntries } from './sql.ts'

/** Lists audit entries of the workspace, newest first. */
export const listAuditEntries = verb(
  { by: 'owner' },
  async ({ sql, caller }, { actorId, action, targetId, ...query }: AuditQuery): Promise<PageOf<AuditEntry>> => {
    const page = pageRequest(query)
    const filter = { workspaceId: caller.workspaceId, actorId, action, targetId, page }
    const rows = await selectEntries(sql, filter, maxLookedAt)
    const people = rows.flatMap(({ actorType, actorId }) => (actorType === 'user' ? [actorId!] : []))
    const found = people.length === 0 ? [] : await findNamesOfPeople(sql, [...new Set(people)])
    const names = new Map(found.map(({ id, name }) => [id, name]))
    const shape = (row: EntryRow) => shapeEntry(row, row.keyName ?? names.get(row.actorId ?? '') ?? null)
    if (!isLookedFor(filter)) return pageOf(rows, page.limit, shape)
    return pageOfLook(rows, page.limit, () => findLastEntryLookedAt(sql, filter, maxLookedAt), shape)
  },
)

const shapeEntry = (row: EntryRow, name: string | null): AuditEntry => ({
  id: row.id,
  at: row.at.toISOString(),
  actor: { type: row.actorType, id: row.actorId, name },
  action: row.action,
  target: { type: row.targetType, id: row.targetId },
  detail: row.detail,
  address: row.address,
  requestId: row.requestId,
})
