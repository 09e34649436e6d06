/** Workspace of this tab. Without a choice, the API uses the workspace that the person joined first. */
const key = 'workspace'

let onChange = () => {}

/** Registers the callback that runs when the tab changes to another workspace. */
export const whenWorkspaceChanges = (told: () => void): void => {
  onChange = told
}

export const chosenWorkspace = (): string | null => sessionStorage.getItem(key) ?? localStorage.getItem(key)

/** Stores the choice for this tab and as the default of the next new tab. */
export const chooseWorkspace = (id: string): void => {
  sessionStorage.setItem(key, id)
  localStorage.setItem(key, id)
  onChange()
}

/** Pins this tab to the workspace that the API chose, so that a choice in another tab does not affect it. */
export const keepWorkspace = (id: string): void => sessionStorage.setItem(key, id)

/** Removes what the browser has stored of a person who signed out: drafts, searches, credentials typed in the docs. */
export const forgetPerson = (): void => {
  forgetWorkspace()
  sessionStorage.clear()
}

/** Clears the choice when the person no longer belongs to the workspace. */
export const forgetWorkspace = (): void => {
  sessionStorage.removeItem(key)
  localStorage.removeItem(key)
  onChange()
}
