/** Notifications, those of the browser too, and the search dialog. Loaded after the first page. */
import { Notifications } from '@mantine/notifications'
import { type RefObject, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { usePhone } from '../ui/hooks/usePhone.ts'
import { useInboxNotifications } from './inbox-notifications.ts'
import styles from './notifications.module.css'
import { Search } from './Search.tsx'

export { openSearch } from './Search.tsx'

export const Overlays = () => {
  useInboxNotifications()
  const phone = usePhone()
  return (
    <>
      {createPortal(
        <Stack key={String(phone)} limit={phone ? 1 : 3} />,
        document.getElementById(phone ? 'notifications-phone' : 'notifications')!,
      )}
      <Search />
    </>
  )
}

/** Notifications in the free space of the navigation: above the person, on a phone beside the name of the workspace. */
const Stack = ({ limit }: { limit: number }) => {
  const stack = useRef<HTMLDivElement>(null)
  useStackSize(stack)
  return (
    <div ref={stack} className={styles.notifications}>
      <Notifications position="bottom-left" limit={limit} transitionDuration={120} withinPortal={false} />
    </div>
  )
}

/** Keeps the space that the notifications take at the edge of the window in CSS variables, so that no dialog is under it. */
const useStackSize = (stack: RefObject<HTMLDivElement | null>): void =>
  useEffect(() => {
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => {
      const { top, bottom, height } = stack.current!.getBoundingClientRect()
      style.setProperty('--notifications-top', height === 0 ? '0px' : `${bottom}px`)
      style.setProperty('--notifications-bottom', height === 0 ? '0px' : `${innerHeight - top}px`)
    })
    observer.observe(stack.current!)
    return () => observer.disconnect()
  }, [stack])
