/** What the reader has: credentials, and the ids of what they made. Kept for the tab, and forgotten with it. */

export type Kept = Record<string, string>

const place = 'engagement-docs'
/** Told on the window whenever something was kept or forgotten. */
export const changed = 'engagement-docs-changed'

export const kept = (): Kept => {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? '{}')
  } catch {
    return {}
  }
}

/** Empty texts are forgotten. */
export const keep = (more: Kept): void => {
  const all = Object.entries({ ...kept(), ...more }).filter(([, value]) => value !== '')
  sessionStorage.setItem(place, JSON.stringify(Object.fromEntries(all)))
  window.dispatchEvent(new Event(changed))
}

/** Puts in what is known; what is not stays as it is. */
export const filledIn = (text: string): string =>
  text.replace(/%([a-z]+)%/g, (whole, name: string) => (name === 'url' ? location.origin : (kept()[name] ?? whole)))
