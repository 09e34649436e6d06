/** Title of the browser tab: the page, after the number of conversations that wait for an answer. */

let pageTitle = document.title
let waitingCount = 0

const render = (): void => {
  document.title = waitingCount > 0 ? `(${waitingCount}) ${pageTitle}` : pageTitle
}

export const setPageTitle = (title: string): void => {
  pageTitle = title
  render()
}

/** Zero shows the title of the page alone. */
export const setWaitingCount = (count: number): void => {
  waitingCount = count
  render()
}
