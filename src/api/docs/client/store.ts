/** Stores the reader's credentials and the ids of created records in the session storage of the tab. */

export type StoredValues = Record<string, string>

const storageKey = 'engagement-docs'
/** Name of the window event that is sent after every change of the stored values. */
export const changedEvent = 'engagement-docs-changed'

export const storedValues = (): StoredValues => {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
  } catch {
    return {}
  }
}

/** Stores values. An empty text removes a value. */
export const storeValues = (values: StoredValues): void => {
  const all = Object.entries({ ...storedValues(), ...values }).filter(([, value]) => value !== '')
  sessionStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(all)))
  window.dispatchEvent(new Event(changedEvent))
}

/** Replaces placeholders by stored values. Unknown placeholders stay unchanged. */
export const withStoredValues = (text: string): string =>
  text.replace(/%([a-z]+)%/g, (match, name: string) =>
    name === 'url' ? location.origin : (storedValues()[name] ?? match),
  )
