import type { Sql } from '../../db/client.ts'
import { findByAddress, noteResumed, optOut } from '../customers/index.ts'
import { phoneOf } from './arrived.ts'

/** What a provider told of a person: that they want nothing any more (`stop`), or something again (`resume`). */
export interface Preference {
  workspaceId: string
  channelId: string
  handle: string
  wants: 'stop' | 'resume'
  /** How it was told. */
  words: string
}

const maxWords = 500

/**
 * `stop` opts the person out; `resume` is only noted. False where the person is no customer of the workspace.
 */
export const receivePreference = async (sql: Sql, preference: Preference): Promise<boolean> => {
  const { workspaceId, channelId, handle, wants } = preference
  const words = preference.words.toWellFormed().replaceAll('\0', '\ufffd').slice(0, maxWords).toWellFormed()
  const phone = phoneOf({ handle, otherHandle: null })
  const id = await findByAddress(sql, { workspaceId, channelId, handle, phone })
  if (id === null) return false
  if (wants === 'stop') await optOut(sql, { workspaceId, id, reason: words, source: 'customer', channelId })
  else await noteResumed(sql, { workspaceId, id, words })
  return true
}
