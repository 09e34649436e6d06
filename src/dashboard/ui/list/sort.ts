/** Order of a list by time, which the API applies to all pages. */

/** Search parameter of the order. It is missing for the default, newest first. */
export interface Sorted {
  sort?: 'oldest'
}

export const parseSort = (search: Record<string, unknown>): Sorted =>
  search.sort === 'oldest' ? { sort: 'oldest' } : {}

/** Returns whether the search parameters of a list have a filter. The order is none. */
export const hasFilters = (search: object): boolean => Object.keys(search).some(name => name !== 'sort')

/** Order of a list by the texts of a column, which the API applies to all pages. */
export interface TextOrder {
  /** Key of the column. */
  column: string
  /** Null if the list has another order. */
  direction: 'asc' | 'desc' | null
  onChange: (direction: 'asc' | 'desc' | null) => void
}

/** Order of a list and the column that shows and changes it. */
export interface TimeOrder {
  /** Key of the column with the time. */
  column: string
  sort: Sorted['sort']
  onChange: (sort: Sorted['sort']) => void
}
