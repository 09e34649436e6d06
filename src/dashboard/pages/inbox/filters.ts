/** Filters of the inbox, as stored in the address. */
export const filters = ['waiting', 'mine', 'all', 'closed'] as const
export type InboxFilter = (typeof filters)[number]

export interface InboxSearch {
  /** Default: the conversations that wait for an answer. */
  filter?: Exclude<InboxFilter, 'waiting'>
  /** Sandbox channel whose phone is open in the corner. */
  phone?: string
}

/** Reads the filters from the address and ignores invalid values. */
export const parseInboxSearch = (search: Record<string, unknown>): InboxSearch => {
  const filter = filters.find(one => one === search.filter)
  return {
    ...(filter && filter !== 'waiting' && { filter }),
    ...(typeof search.phone === 'string' && search.phone && { phone: search.phone }),
  }
}

/** Query parameters of the API for each filter. */
export const filterQueries = {
  waiting: { status: 'open', waiting: true },
  mine: { status: 'open', assigneeId: 'me' },
  all: {},
  closed: { status: 'closed' },
} as const
