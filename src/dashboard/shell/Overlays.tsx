/** What comes up over a page when somebody asks for it or something was done: loaded once the page is there. */
import { Notifications } from '@mantine/notifications'
import { Search } from './Search.tsx'

export { openSearch } from './Search.tsx'

export const Overlays = () => (
  <>
    <Notifications position="bottom-left" limit={3} transitionDuration={120} />
    <Search />
  </>
)
