/** Saved views of a list: named filters, kept in this browser for a person and a workspace, until the sign-out. */
import { useLocalStorage } from '@mantine/hooks'
import { draftKey } from './draft.ts'

export interface SavedView {
  name: string
  /** The query string with the filters, without the question mark. */
  search: string
}

/** Maximum number of views of a list. */
export const maxViews = 20

/** A view with a name that exists replaces it. */
export const useSavedViews = (list: string) => {
  const [views, setViews] = useLocalStorage<SavedView[]>({
    key: draftKey(`views/${list}`),
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize: readViews,
  })
  return {
    views,
    save: (view: SavedView) =>
      setViews(before => [...before.filter(({ name }) => name !== view.name), view].slice(-maxViews)),
    remove: (name: string) => setViews(before => before.filter(view => view.name !== name)),
  }
}

/** Ignores a value that another version or an extension wrote. */
const readViews = (text: string | undefined): SavedView[] => {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter(isView).slice(0, maxViews) : []
  } catch {
    return []
  }
}

const isView = (value: unknown): value is SavedView =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'search' in value &&
  typeof value.search === 'string'
