/** Writing entries: always with what they tell of. */
import { createHash } from 'node:crypto'
import type { Sql } from '../../db/client.ts'
import type { RequestRef } from '../context.ts'
import type { AuditAction, AuditTargetType } from './schema.ts'
import { insertAccountEntries, insertEntry } from './sql.ts'

/** What is told of something that was done. */
export interface Deed {
  action: AuditAction
  target: { type: AuditTargetType; id: string }
  /** Words of the workspace's own: never a secret, nor anything of a customer. What is undefined is left out. */
  detail?: Detail
}

export type Detail = Record<string, string | number | boolean | null | undefined | readonly string[]>

/** Who did it, where, and by which request. */
export interface Doer {
  type: 'user' | 'api_key'
  id: string
  workspaceId: string
  request: RequestRef | null
}

/** Tells of what the transaction does. */
export const writeEntry = async (
  tx: Sql,
  { type, id, workspaceId, request }: Doer,
  { action, target, detail = {} }: Deed,
): Promise<void> => {
  await insertEntry(tx, { workspaceId, actor: { type, id }, action, target, detail: bounded(detail), request })
}

/** Tells of what the operator does to a workspace, on the command line. */
export const writeOperatorEntry = async (
  tx: Sql,
  workspaceId: string,
  { action, target, detail = {} }: Deed,
): Promise<void> => {
  const actor = { type: 'operator', id: null } as const
  await insertEntry(tx, { workspaceId, actor, action, target, detail: bounded(detail), request: null })
}

/** What was done to an account, by whoever has it, or by somebody who does not show that they do. */
export interface AccountDeed {
  userId: string
  byThem: boolean
  action: AuditAction
  detail?: Detail
  request: RequestRef
}

/** Tells of it in each workspace that the account's person is in. */
export const writeAccountEntries = async (sql: Sql, deeds: readonly AccountDeed[]): Promise<void> => {
  await insertAccountEntries(
    sql,
    deeds.map(({ detail = {}, byThem, ...deed }) => ({
      ...deed,
      by: byThem ? 'user' : 'unknown',
      detail: bounded(detail),
    })),
  )
}

/** Tells of what the operator did to an account, in each workspace that its person is in. */
export const writeOperatorsDeed = async (
  tx: Sql,
  deed: { userId: string; action: AuditAction; detail?: Detail },
): Promise<void> => {
  await insertAccountEntries(tx, [{ ...deed, by: 'operator', detail: bounded(deed.detail ?? {}), request: null }])
}

/** Tells an address again from others without saying it. */
export const emailHash = (email: string): string => createHash('sha256').update(email.toLowerCase()).digest('hex')

const maxText = 200
const maxListed = 50

/** An entry is short, however long what it tells of may be. */
const bounded = (detail: Detail): Detail =>
  Object.fromEntries(
    Object.entries(detail).map(([name, value]) => {
      if (typeof value === 'string') return [name, cut(value)]
      return [name, Array.isArray(value) ? value.slice(0, maxListed).map(cut) : value]
    }),
  )

/** By whole characters: half a one is none that can be kept. */
const cut = (text: string): string => (text.length <= maxText ? text : [...text].slice(0, maxText).join(''))
