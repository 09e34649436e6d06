/** Context from the inbox list for the open conversation. */
import { createContext, useContext } from 'react'
import type { Schemas } from '../../api/client.ts'

export interface InboxContextValue {
  /** Opens the next conversation of the list. */
  openNext: (from: string) => void
  /** Returns true if the list no longer includes the conversation in its current state. */
  isFilteredOut: (conversation: Schemas['Conversation']) => boolean
  /** True if the list has no conversations. */
  isEmpty: boolean
  showShortcuts: () => void
}

export const InboxContext = createContext<InboxContextValue>({
  openNext: () => {},
  isFilteredOut: () => false,
  isEmpty: false,
  showShortcuts: () => {},
})
export const useInbox = (): InboxContextValue => useContext(InboxContext)
