/** Records that a person opened by the search, in one workspace, until they sign out or close the tab. */
import { keptAs } from '../ui/draft.ts'

export interface Found {
  to: string
  title: string
  detail: string
}

const key = () => keptAs('search.recent')
const most = 8

export const recent = (): Found[] => {
  try {
    return JSON.parse(sessionStorage.getItem(key()) ?? '[]')
  } catch {
    return []
  }
}

export const keepRecent = (found: Found): void => {
  const others = recent().filter(({ to }) => to !== found.to)
  sessionStorage.setItem(key(), JSON.stringify([found, ...others].slice(0, most)))
}
