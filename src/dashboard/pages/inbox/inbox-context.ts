/** Context from the inbox list for the open conversation. */
import { createContext, useContext } from 'react'

export interface InboxContextValue {
  /** Opens the next conversation of the list, if it has one. */
  openNext: (from: string) => void
  /** True if the list has no conversations. */
  isEmpty: boolean
  showShortcuts: () => void
}

export const InboxContext = createContext<InboxContextValue>({
  openNext: () => {},
  isEmpty: false,
  showShortcuts: () => {},
})
export const useInbox = (): InboxContextValue => useContext(InboxContext)
