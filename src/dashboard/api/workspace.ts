/** Which workspace this tab looks at. Where none was chosen the interface takes the one joined first. */
const key = 'workspace'

let onChange = () => {}

/** Who is told that the tab looks at another workspace now. */
export const whenWorkspaceChanges = (told: () => void): void => {
  onChange = told
}

export const chosenWorkspace = (): string | null => sessionStorage.getItem(key) ?? localStorage.getItem(key)

/** Remembered for this tab, and for the next one that is opened. */
export const chooseWorkspace = (id: string): void => {
  sessionStorage.setItem(key, id)
  localStorage.setItem(key, id)
  onChange()
}

/** The one that the interface took: this tab stays with it, whatever is chosen in another. */
export const keepWorkspace = (id: string): void => sessionStorage.setItem(key, id)

/** Removes what the browser has stored of a person who signed out: drafts, searches, credentials typed in the docs. */
export const forgetPerson = (): void => {
  forgetWorkspace()
  sessionStorage.clear()
}

/** Where the workspace is no longer one's own. */
export const forgetWorkspace = (): void => {
  sessionStorage.removeItem(key)
  localStorage.removeItem(key)
  onChange()
}
