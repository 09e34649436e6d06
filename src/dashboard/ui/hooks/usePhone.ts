import { useMatches } from '@mantine/core'

/** Returns true if the window is as narrow as a phone. It is known at the first render, so nothing renders twice. */
export const usePhone = (): boolean => useMatches({ base: true, sm: false }, { getInitialValueInEffect: false })
