/** Notifications, those of the browser too, and the search dialog. Loaded after the first page. */
import { Notifications } from '@mantine/notifications'
import { type RefObject, useEffect, useRef } from 'react'
import { useInboxNotifications } from './inbox-notifications.ts'
import styles from './notifications.module.css'
import { Search } from './Search.tsx'

export { openSearch } from './Search.tsx'

export const Overlays = () => {
  useInboxNotifications()
  const strip = useRef<HTMLDivElement>(null)
  useStripHeight(strip)
  return (
    <>
      <div ref={strip} className={styles.notifications}>
        <Notifications position="bottom-center" limit={3} transitionDuration={120} withinPortal={false} />
      </div>
      <Search />
    </>
  )
}

/** Keeps the height from the strip to the end of the window in a CSS variable, so that no dialog is under it. */
const useStripHeight = (strip: RefObject<HTMLDivElement | null>): void =>
  useEffect(() => {
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => {
      const { top, height } = strip.current!.getBoundingClientRect()
      style.setProperty('--strip', height === 0 ? '0px' : `${innerHeight - top}px`)
    })
    observer.observe(strip.current!)
    return () => observer.disconnect()
  }, [strip])
