import { useMatches } from '@mantine/core'

/** Whether the window is as narrow as that of a phone. Known at the first drawing: nothing is drawn twice. */
export const usePhone = (): boolean => useMatches({ base: true, sm: false }, { getInitialValueInEffect: false })
