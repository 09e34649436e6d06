/** What an open conversation needs to know of the list beside it. */
import { createContext, useContext } from 'react'
import type { Schemas } from '../../api/client.ts'

export interface Beside {
  /** Opens the conversation that stands after this one. */
  goOn: (from: string) => void
  /** Whether the list no longer shows it as it is now. */
  isLeftOut: (conversation: Schemas['Conversation']) => boolean
  /** There is none to choose. */
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
