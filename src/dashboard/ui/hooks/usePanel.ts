import { useMatches } from '@mantine/core'
import { useChildMatches } from '@tanstack/react-router'

/** Returns true if a side panel is open beside the page. The panel is a route below that of the page. */
export const useHasPanel = (): boolean => useChildMatches({ select: panels => panels.length > 0 })

/** Returns true if the side panel leaves the page only a narrow column, in a window narrower than 1200 px. */
export const useIsBesidePanel = (): boolean => {
  const isSmall = useMatches({ base: true, lg: false }, { getInitialValueInEffect: false })
  return useHasPanel() && isSmall
}
