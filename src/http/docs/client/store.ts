/** Stores the reader's credentials and the ids of created records in the session storage of the tab. */

export type Kept = Record<string, string>

const place = 'engagement-docs'
/** Name of the window event that is sent after every change of the stored values. */
export const changed = 'engagement-docs-changed'

export const kept = (): Kept => {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? '{}')
  } catch {
    return {}
  }
}

/** Stores values. An empty text removes a value. */
export const keep = (more: Kept): void => {
  const all = Object.entries({ ...kept(), ...more }).filter(([, value]) => value !== '')
  sessionStorage.setItem(place, JSON.stringify(Object.fromEntries(all)))
  window.dispatchEvent(new Event(changed))
}

/** Replaces placeholders by stored values. Unknown placeholders stay unchanged. */
export const filledIn = (text: string): string =>
  text.replace(/%([a-z]+)%/g, (whole, name: string) => (name === 'url' ? location.origin : (kept()[name] ?? whole)))
