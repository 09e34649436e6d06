/** Which conversations the list shows, as it stands in the address. */
export const filters = ['waiting', 'mine', 'all', 'closed'] as const
export type InboxFilter = (typeof filters)[number]

export interface InboxSearch {
  /** Who waits for an answer where nothing is said. */
  filter?: Exclude<InboxFilter, 'waiting'>
  /** The sandbox channel whose phone stands in the corner. */
  phone?: string
}

/** What is no filter is left out. */
export const inboxSearch = (search: Record<string, unknown>): InboxSearch => {
  const filter = filters.find(one => one === search.filter)
  return {
    ...(filter && filter !== 'waiting' && { filter }),
    ...(typeof search.phone === 'string' && search.phone && { phone: search.phone }),
  }
}

/** What the interface is asked for. */
export const queryOf = {
  waiting: { status: 'open', waiting: true },
  mine: { status: 'open', assigneeId: 'me' },
  all: {},
  closed: { status: 'closed' },
} as const
