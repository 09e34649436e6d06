/**
 * Records recently opened from the search, per workspace. They are kept until the person signs out or closes the tab.
 */
import { draftKey } from '../ui/hooks/draft.ts'
import type { RecordLink } from './paths.ts'

export interface SearchItem extends RecordLink {
  title: string
  detail: string
}

const key = () => draftKey('search.opened')
const maxRecent = 8

export const readRecent = (): SearchItem[] => {
  try {
    return JSON.parse(sessionStorage.getItem(key()) ?? '[]')
  } catch {
    return []
  }
}

export const addRecent = (item: SearchItem): void => {
  const others = readRecent().filter(({ to, params }) => to !== item.to || params.id !== item.params.id)
  sessionStorage.setItem(key(), JSON.stringify([item, ...others].slice(0, maxRecent)))
}
