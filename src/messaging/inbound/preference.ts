import { enrolByAddress, findByAddress, isOptOutSettled, recordRenewedOptIn } from '../../customers/index.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { optOut } from '../consent/index.ts'
import { findFirstRecordedAt } from '../messages/index.ts'
import { findPhone } from './prepare.ts'

/** A preference reported by a provider: the person wants no more messages (`stop`), or wants them again (`resume`). */
export interface Preference {
  workspaceId: string
  channelId: string
  handle: string
  wants: 'stop' | 'resume'
  /** Text of the preference. */
  words: string
  /** Time given by the provider, if any. */
  at?: Date
  /** Provider's id of the message that contained the preference. */
  sourceMessageId?: string
}

const maxWords = 500

/**
 * Applies a preference. `stop` opts the customer out, unless an owner has removed that opt-out since. `resume` is only
 * recorded. With `canEnrol`, `stop` creates an unknown person as a customer to store the opt-out. Returns false if the
 * person is not a customer.
 */
export const receivePreference = async (sql: Sql, preference: Preference, canEnrol = false): Promise<boolean> => {
  const { workspaceId, channelId, handle, wants } = preference
  const words = preference.words.toWellFormed().replaceAll('\0', '\ufffd').slice(0, maxWords).toWellFormed()
  const phone = findPhone({ handle, otherHandle: null })
  const address = { workspaceId, channelId, handle, phone }
  const existingId = await findByAddress(sql, address)
  const id = existingId ?? (canEnrol && wants === 'stop' ? await enrolByAddress(sql, address) : null)
  if (id === null) return false
  if (wants === 'resume') {
    await recordRenewedOptIn(sql, { workspaceId, id, words })
    return true
  }
  const stated = await findStatedAt(sql, preference)
  if (stated !== null && (await isOptOutSettled(sql, { workspaceId, id, words, ...stated }))) return true
  await optOut(sql, {
    workspaceId,
    id,
    reason: words,
    source: 'customer',
    channelId,
    reportedAt: preference.at ?? null,
  })
  return true
}

/**
 * Returns when the preference was stated. Without a time from the provider, it uses the time of the stored message.
 * Returns null if neither is known.
 */
const findStatedAt = async (sql: Sql, { workspaceId, channelId, at, sourceMessageId }: Preference) => {
  if (at !== undefined) return { at, by: 'provider' as const }
  if (sourceMessageId === undefined) return null
  const first = await findFirstRecordedAt(sql, { workspaceId, channelId, providerMessageId: sourceMessageId })
  return first && { at: first, by: 'row' as const }
}
