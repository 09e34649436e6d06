/**
 * Records recently opened from the search, per workspace. They are kept until the person signs out or closes the tab.
 */
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
