/** Filters and order of the inbox, as stored in the address. */
import { parseTimeRange, type TimeRange, toTimeQuery } from '../../ui/time-range/time-range.ts'

export const filters = ['waiting', 'mine', 'all', 'closed'] as const
type InboxFilter = (typeof filters)[number]

export interface InboxSearch extends TimeRange {
  /** Default: the conversations that wait for an answer. */
  filter?: Exclude<InboxFilter, 'waiting'>
  /** Default of the unanswered conversations: the longest wait first. All others have the most recent first. */
  sort?: 'newest'
  /** Text in the name, phone number or external ID of the customer. */
  q?: string
  channelId?: string
  /** `none`, or the `userId` of a member. */
  assigneeId?: string
  /** Only conversations with a possible opt-out. */
  optOut?: true
  /** Sandbox channel whose phone is open in the corner. */
  phone?: string
  /** The keyboard shortcuts are shown. */
  keys?: true
}

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const isId = (value: unknown): value is string => typeof value === 'string' && idPattern.test(value)

/** Reads the filters from the address and ignores invalid values. */
export const parseInboxSearch = (search: Record<string, unknown>): InboxSearch => {
  const filter = filters.find(one => one === search.filter)
  const { q, channelId, assigneeId, phone } = search
  return {
    ...(filter && filter !== 'waiting' && { filter }),
    ...(search.sort === 'newest' && { sort: 'newest' }),
    ...((typeof q === 'string' || typeof q === 'number') && `${q}` !== '' && { q: `${q}`.slice(0, 200) }),
    ...(isId(channelId) && { channelId }),
    ...((assigneeId === 'none' || isId(assigneeId)) && { assigneeId }),
    ...(String(search.optOut) === 'true' && { optOut: true }),
    ...(isId(phone) && { phone }),
    ...(String(search.keys) === 'true' && { keys: true }),
    ...parseTimeRange(search),
  }
}

/** Returns the search with only the tab, the order and the phone. */
export const withoutFilters = ({
  channelId,
  assigneeId,
  optOut,
  q,
  range,
  since,
  until,
  ...rest
}: InboxSearch): InboxSearch => rest

/** Number of filters behind the filter button. */
export const countFilters = ({ channelId, assigneeId, optOut }: InboxSearch): number =>
  [channelId, assigneeId, optOut].filter(one => one !== undefined).length

/** Returns true if the search has a filter besides the tab. */
export const isFiltered = (search: InboxSearch): boolean =>
  Object.keys(search).length > Object.keys(withoutFilters(search)).length

const statusQueries = {
  waiting: { unanswered: true },
  mine: { status: 'open', assigneeId: 'me' },
  all: {},
  closed: { status: 'closed' },
} as const

/** Returns the query parameters of the API. */
export const toQuery = ({
  filter,
  sort,
  q,
  channelId,
  assigneeId,
  optOut,
  phone: _phone,
  keys: _keys,
  ...range
}: InboxSearch) => ({
  ...(q !== undefined && { q }),
  ...(channelId !== undefined && { channelId }),
  ...(assigneeId !== undefined && { assigneeId }),
  ...(optOut && { looksLikeOptOut: true }),
  ...(filter === undefined && sort === undefined && ({ sort: 'longest_waiting' } as const)),
  ...statusQueries[filter ?? 'waiting'],
  ...toTimeQuery(range),
})
