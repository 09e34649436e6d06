/** Notifications and the search dialog, loaded after the first page. */
import { Notifications } from '@mantine/notifications'
import { Search } from './Search.tsx'

export { openSearch } from './Search.tsx'

export const Overlays = () => (
  <>
    <Notifications position="top-center" limit={3} transitionDuration={120} />
    <Search />
  </>
)
