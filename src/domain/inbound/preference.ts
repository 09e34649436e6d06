import type { Sql } from '../../db/client.ts'
import { enrolByAddress, findByAddress, isSettledWish, noteResumed, optOut } from '../customers/index.ts'
import { findFirstTold } from '../messages/index.ts'
import { phoneOf } from './arrived.ts'

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
  toldBy?: string
}

const maxWords = 500

/**
 * Applies a preference. `stop` opts the customer out, unless an owner has removed that opt-out since. `resume` is only
 * recorded. With `enrols`, `stop` creates an unknown person as a customer to store the opt-out. Returns false if the
 * person is not a customer.
 */
export const receivePreference = async (sql: Sql, preference: Preference, enrols = false): Promise<boolean> => {
  const { workspaceId, channelId, handle, wants } = preference
  const words = preference.words.toWellFormed().replaceAll('\0', '\ufffd').slice(0, maxWords).toWellFormed()
  const phone = phoneOf({ handle, otherHandle: null })
  const address = { workspaceId, channelId, handle, phone }
  const found = await findByAddress(sql, address)
  const id = found ?? (enrols && wants === 'stop' ? await enrolByAddress(sql, address) : null)
  if (id === null) return false
  if (wants === 'resume') {
    await noteResumed(sql, { workspaceId, id, words })
    return true
  }
  const said = await whenSaid(sql, preference)
  if (said !== null && (await isSettledWish(sql, { workspaceId, id, words, ...said }))) return true
  await optOut(sql, { workspaceId, id, reason: words, source: 'customer', channelId, toldAt: preference.at ?? null })
  return true
}

/**
 * Returns when the preference was stated. Without a time from the provider, it uses the time of the stored message.
 * Returns null if neither is known.
 */
const whenSaid = async (sql: Sql, { workspaceId, channelId, at, toldBy }: Preference) => {
  if (at !== undefined) return { at, by: 'provider' as const }
  if (toldBy === undefined) return null
  const first = await findFirstTold(sql, { workspaceId, channelId, providerMessageId: toldBy })
  return first && { at: first, by: 'row' as const }
}
