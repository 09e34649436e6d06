import { createContext, useContext } from 'react'

const own = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The zone that times are told in: the person's choice, else that of the browser. */
export const Zone = createContext<string>(own)
export const useZone = (): string => useContext(Zone)
export const browserZone = own
