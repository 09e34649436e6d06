import type { Sql } from '../../db/client.ts'
import { enrolByAddress, findByAddress, isSettledWish, noteResumed, optOut } from '../customers/index.ts'
import { findFirstTold } from '../messages/index.ts'
import { phoneOf } from './arrived.ts'

/** What a provider told of a person: that they want nothing any more (`stop`), or something again (`resume`). */
export interface Preference {
  workspaceId: string
  channelId: string
  handle: string
  wants: 'stop' | 'resume'
  /** How it was told. */
  words: string
  /** The provider's time of it, where it tells one. */
  at?: Date
  /** The message by which it was told, as the provider calls it. */
  toldBy?: string
}

const maxWords = 500

/**
 * `stop` opts the person out, unless an owner has lifted that since it was said; `resume` is only noted. False where the
 * person is no customer of the workspace. With `enrols` whoever wants nothing becomes one, so that it is kept.
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

/** Where the provider does not say, and the message is known by now, it was said by the time that came. */
const whenSaid = async (sql: Sql, { workspaceId, channelId, at, toldBy }: Preference) => {
  if (at !== undefined) return { at, by: 'provider' as const }
  if (toldBy === undefined) return null
  const first = await findFirstTold(sql, { workspaceId, channelId, providerMessageId: toldBy })
  return first && { at: first, by: 'row' as const }
}
