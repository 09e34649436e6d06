import { type PageOf, toPage, toPageRequest } from '../../core/pagination.ts'
import { maxScanned, toScanPage } from '../../core/scan.ts'
import { verb } from '../../core/verb.ts'
import { findUserNames } from '../users/index.ts'
import type { AuditEntry, AuditQuery } from './schema.ts'
import { type EntryRow, findLastEntryScanned, needsScan, selectEntries } from './sql.ts'

/** Lists audit entries of the workspace, newest first. */
export const listAuditEntries = verb(
  { by: 'owner' },
  async ({ sql, caller }, { actorId, action, targetId, ...query }: AuditQuery): Promise<PageOf<AuditEntry>> => {
    const page = toPageRequest(query)
    const filter = { workspaceId: caller.workspaceId, actorId, action, targetId, page }
    const rows = await selectEntries(sql, filter, maxScanned)
    const userIds = rows.flatMap(({ actorType, actorId }) => (actorType === 'user' ? [actorId!] : []))
    const users = userIds.length === 0 ? [] : await findUserNames(sql, [...new Set(userIds)])
    const names = new Map(users.map(({ id, name }) => [id, name]))
    const shape = (row: EntryRow) => shapeEntry(row, row.keyName ?? names.get(row.actorId ?? '') ?? null)
    if (!needsScan(filter)) return toPage(rows, page, shape)
    return toScanPage(rows, page, () => findLastEntryScanned(sql, filter, maxScanned), shape)
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
  via: row.viaTokenId === null ? null : { type: 'token', id: row.viaTokenId, name: row.viaTokenName! },
})
