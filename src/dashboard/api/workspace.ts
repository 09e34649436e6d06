/** Workspace of this tab. Without a choice, the API uses the workspace that the person joined first. */
const key = 'workspace'

let onChange = () => {}

/** Registers the callback that runs when the tab changes to another workspace. */
export const setWorkspaceChangeHandler = (handler: () => void): void => {
  onChange = handler
}

export const selectedWorkspace = (): string | null => sessionStorage.getItem(key) ?? localStorage.getItem(key)

/** Stores the choice for this tab and as the default of the next new tab. */
export const selectWorkspace = (id: string): void => {
  sessionStorage.setItem(key, id)
  localStorage.setItem(key, id)
  onChange()
}

/** Pins this tab to the workspace that the API chose, so that a choice in another tab does not affect it. */
export const pinWorkspace = (id: string): void => sessionStorage.setItem(key, id)

/** Removes what the browser has stored of a person who signed out: drafts, searches, credentials typed in the docs. */
export const clearPersonData = (): void => {
  clearWorkspace()
  sessionStorage.clear()
}

/** Removes the credentials that the API reference stored in this tab, so that the next person cannot use them. */
export const clearDocsCredentials = (): void => sessionStorage.removeItem('engagement-docs')

/** Clears the choice when the person no longer belongs to the workspace. */
export const clearWorkspace = (): void => {
  sessionStorage.removeItem(key)
  localStorage.removeItem(key)
  onChange()
}
