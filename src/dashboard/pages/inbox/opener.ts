/** Context from the inbox list for the open conversation. */
import { createContext, useContext } from 'react'
import type { Schemas } from '../../api/client.ts'

export interface Beside {
  /** Opens the next conversation of the list. */
  goOn: (from: string) => void
  /** Returns true if the list no longer includes the conversation in its current state. */
  isLeftOut: (conversation: Schemas['Conversation']) => boolean
  /** True if the list has no conversations. */
  isEmpty: boolean
  showKeys: () => void
}

export const Opener = createContext<Beside>({
  goOn: () => {},
  isLeftOut: () => false,
  isEmpty: false,
  showKeys: () => {},
})
export const useBeside = (): Beside => useContext(Opener)
