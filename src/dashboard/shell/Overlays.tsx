/** Notifications, those of the browser too, and the search dialog. Loaded after the first page. */
import { Notifications } from '@mantine/notifications'
import { useInboxNotifications } from './inbox-notifications.ts'
import { Search } from './Search.tsx'

export { openSearch } from './Search.tsx'

export const Overlays = () => {
  useInboxNotifications()
  return (
    <>
      <Notifications position="top-center" limit={3} transitionDuration={120} />
      <Search />
    </>
  )
}
