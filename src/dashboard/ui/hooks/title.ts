/** Title of the browser tab: the page, after the number of unread conversations. */

let pageTitle = document.title
let unreadCount = 0

const render = (): void => {
  document.title = unreadCount > 0 ? `(${unreadCount}) ${pageTitle}` : pageTitle
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
