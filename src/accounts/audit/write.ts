/**
 * Writes audit entries in the transaction of the recorded action. If the workspace is in another database, the transaction
 * enqueues a task that writes them there.
 */
import { createHash } from 'node:crypto'
import type { CallerToken, RequestRef } from '../../core/context.ts'
import { newId } from '../../core/ids.ts'
import { clock } from '../../platform/clock.ts'
import { inCellOf } from '../../platform/postgres/cells.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { enqueue } from '../../queue/tasks.ts'
import { findWorkspacesHere } from '../workspace-access/index.ts'
import type { AuditAction, AuditTargetType } from './schema.ts'
import {
  type AccountEntry,
  type EntryToWrite,
  insertEntry,
  insertIntoWorkspaces,
  insertRepeatedEntry,
  insertRows,
  type JoinedWorkspace,
  type NewEntry,
  selectJoinedWorkspaces,
} from './sql.ts'

/** An action and its resource, as recorded. */
export interface ActionRecord {
  action: AuditAction
  target: { type: AuditTargetType; id: string }
  /** Details from the workspace. Must not contain secrets or customer data. Undefined values are omitted. */
  detail?: Detail
  /** Repeated changes of the same fields by the same actor share one entry during this time, in seconds. */
  sharedFor?: number
}

export type Detail = Record<string, string | number | boolean | null | undefined | readonly string[]>

/** The actor, its workspace and the request. */
export interface AuditActor {
  type: 'user' | 'api_key'
  id: string
  workspaceId: string
  request: RequestRef | null
  /** Access token of the call. Missing for a session or a key. */
  token?: CallerToken
}

/** Writes an entry about the action of the transaction. */
export const writeEntry = async (
  tx: Sql,
  { type, id, workspaceId, request, token }: AuditActor,
  { action, target, detail = {}, sharedFor }: ActionRecord,
): Promise<void> => {
  const actor = { type, id }
  const entry = { workspaceId, actor, action, target, detail: limitDetail(detail), request, via: token ?? null }
  if (sharedFor !== undefined) await insertRepeatedEntry(tx, entry, sharedFor)
  else if ((await findWorkspacesHere(tx, [workspaceId])).has(workspaceId)) await insertEntry(tx, entry)
  else await enqueueEntries(tx, [toRow(entry)])
}

/** Writes an entry about an operator action on a workspace. */
export const writeOperatorEntry = async (
  tx: Sql,
  workspaceId: string,
  { action, target, detail = {} }: ActionRecord,
): Promise<void> => {
  const actor = { type: 'operator', id: null } as const
  await insertEntry(tx, { workspaceId, actor, action, target, detail: limitDetail(detail), request: null, via: null })
}

const toRow = ({ workspaceId, actor, action, target, detail, request, via }: NewEntry): EntryToWrite => ({
  workspace_id: workspaceId,
  id: newId(),
  at: new Date(clock.now()).toISOString(),
  actor_type: actor.type,
  actor_id: actor.id,
  action,
  target_type: target.type,
  target_id: target.id,
  detail,
  address: request?.address ?? null,
  request_id: request?.requestId ?? null,
  via_token_id: via?.id ?? null,
  via_token_name: via?.name ?? null,
})

/** Enqueues a task for each entry, in the transaction of the action. */
const enqueueEntries = async (tx: Sql, rows: readonly EntryToWrite[]): Promise<void> => {
  for (const row of rows)
    await enqueue(tx, 'write_audit_entry', { workspaceId: row.workspace_id, row }, `audit:${row.id}`)
}

/** Writes an entry into the database of its workspace. Can be repeated. */
export const writeMovedEntry = async (sql: Sql, row: EntryToWrite): Promise<void> => {
  await inCellOf(sql, row.workspace_id, cell => insertRows(cell, [row]))
}

/** An action on an account, by its holder or by a person who was not authenticated. */
export interface AccountActionRecord {
  userId: string
  isByHolder: boolean
  action: AuditAction
  detail?: Detail
  request: RequestRef
}

/** Writes an entry into each workspace that the person of the account has joined. */
export const writeAccountEntries = (sql: Sql, records: readonly AccountActionRecord[]): Promise<void> =>
  writeIntoJoined(
    sql,
    records.map(({ detail = {}, isByHolder, ...record }) => ({
      ...record,
      by: isByHolder ? 'user' : 'unknown',
      detail: limitDetail(detail),
    })),
  )

/** Writes an entry about an operator action on an account into each workspace that its person has joined. */
export const writeOperatorAccountEntries = (
  tx: Sql,
  record: { userId: string; action: AuditAction; detail?: Detail },
): Promise<void> =>
  writeIntoJoined(tx, [{ ...record, by: 'operator', detail: limitDetail(record.detail ?? {}), request: null }])

const writeIntoJoined = async (sql: Sql, entries: readonly AccountEntry[]): Promise<void> => {
  if (entries.length === 0) return
  const joined = await selectJoinedWorkspaces(sql, [...new Set(entries.map(({ userId }) => userId))])
  const here = await findWorkspacesHere(
    sql,
    joined.map(({ workspaceId }) => workspaceId),
  )
  const near = joined.filter(({ workspaceId }) => here.has(workspaceId))
  if (near.length > 0) await insertIntoWorkspaces(sql, entries, near)
  const far = joined.filter(({ workspaceId }) => !here.has(workspaceId))
  await enqueueEntries(
    sql,
    entries.flatMap(entry => far.filter(({ userId }) => userId === entry.userId).map(one => accountRow(entry, one))),
  )
}

const accountRow = ({ userId, by, action, detail, request }: AccountEntry, { workspaceId }: JoinedWorkspace) =>
  toRow({
    workspaceId,
    actor: by === 'user' ? { type: by, id: userId } : { type: by, id: null },
    action,
    target: { type: 'user', id: userId },
    detail,
    request,
    via: null,
  })

/** Returns a hash that identifies an email address without revealing it. */
export const hashEmail = (email: string): string => createHash('sha256').update(email.toLowerCase()).digest('hex')

const maxText = 200
const maxListItems = 50

/** Maximum bytes of a detail as JSON. The table accepts 8,192, with a space after each comma and colon. */
const maxBytes = 7500

/** Limits the length of texts and lists, so that an entry stays small. Long lists lose their last entries. */
const limitDetail = (detail: Detail): Detail => {
  for (let items = maxListItems; ; items >>= 1) {
    const limited = limitLengths(detail, items)
    if (items === 0 || Buffer.byteLength(JSON.stringify(limited)) <= maxBytes) return limited
  }
}

const limitLengths = (detail: Detail, maxItems: number): Detail =>
  Object.fromEntries(
    Object.entries(detail).map(([name, value]) => {
      if (typeof value === 'string') return [name, truncate(value)]
      return [name, Array.isArray(value) ? value.slice(0, maxItems).map(truncate) : value]
    }),
  )

/** Cuts between whole characters: PostgreSQL cannot store half of a surrogate pair. */
const truncate = (text: string): string => (text.length <= maxText ? text : [...text].slice(0, maxText).join(''))
