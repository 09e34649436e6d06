/** Writes audit entries in the transaction of the recorded action. */
import { createHash } from 'node:crypto'
import type { CallerToken, RequestRef } from '../../core/context.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { AuditAction, AuditTargetType } from './schema.ts'
import { insertAccountEntries, insertEntry, insertRepeatedEntry } from './sql.ts'

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
  await (sharedFor === undefined ? insertEntry(tx, entry) : insertRepeatedEntry(tx, entry, sharedFor))
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

/** An action on an account, by its holder or by a person who was not authenticated. */
export interface AccountActionRecord {
  userId: string
  isByHolder: boolean
  action: AuditAction
  detail?: Detail
  request: RequestRef
}

/** Writes an entry into each workspace that the person of the account has joined. */
export const writeAccountEntries = async (sql: Sql, records: readonly AccountActionRecord[]): Promise<void> => {
  await insertAccountEntries(
    sql,
    records.map(({ detail = {}, isByHolder, ...record }) => ({
      ...record,
      by: isByHolder ? 'user' : 'unknown',
      detail: limitDetail(detail),
    })),
  )
}

/** Writes an entry about an operator action on an account into each workspace that its person has joined. */
export const writeOperatorAccountEntries = async (
  tx: Sql,
  record: { userId: string; action: AuditAction; detail?: Detail },
): Promise<void> => {
  await insertAccountEntries(tx, [
    { ...record, by: 'operator', detail: limitDetail(record.detail ?? {}), request: null },
  ])
}

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
