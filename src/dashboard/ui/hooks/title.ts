/** Title of the browser tab: the number of unread conversations, the open part of the page, and the page. */
import { useEffect } from 'react'

let pageTitle = document.title
let part = ''
let unreadCount = 0

const render = (): void => {
  const title = part === '' ? pageTitle : `${part} · ${pageTitle}`
  document.title = unreadCount > 0 ? `(${unreadCount}) ${title}` : title
}

/** Names the part of the page that is open. An empty name shows the title of the page alone. */
export const setTitlePart = (name: string): void => {
  part = name
  render()
}

/** Names the part of the page while the component is mounted. */
export const useTitlePart = (name: string): void => {
  useEffect(() => {
    setTitlePart(name)
    return () => setTitlePart('')
  }, [name])
}

export const setPageTitle = (title: string): void => {
  pageTitle = title
  render()
}

/** Zero shows the title of the page alone. */
export const setUnreadCount = (count: number): void => {
  unreadCount = count
  render()
}
