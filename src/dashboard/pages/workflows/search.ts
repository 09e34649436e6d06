/** Search parameters of the workflow page. */
import { parseSort, type Sorted } from '../../ui/list/sort.ts'
import { parseTimeRange, type TimeRange } from '../../ui/time-range/time-range.ts'
import { isId } from '../customers/filters.ts'

export const views = ['editor', 'try', 'replay', 'runs', 'history', 'json'] as const
export type View = (typeof views)[number]

export const runStatuses = ['active', 'waiting', 'done', 'failed', 'stopped'] as const

/** Filters and order of the runs. */
export interface RunFilters extends TimeRange, Sorted {
  status?: (typeof runStatuses)[number] | undefined
  version?: number | undefined
  customerId?: string | undefined
}

export interface WorkflowSearch extends RunFilters {
  /** View to show. Defaults to the first. */
  view?: View
  /** Step whose form is open; `start` for the trigger. */
  step?: string
  /** Event for a dry run. */
  event?: string
  /** Version shown in the history, by default the published one, and of the runs. */
  version?: number
}

const textOrUndefined = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined)

/** Reads the filters of the runs and ignores invalid values. */
export const runFilters = (search: { [Name in keyof RunFilters]?: unknown }): RunFilters & { version?: number } => {
  const status = runStatuses.find(one => one === search.status)
  const version = /^[1-9]\d{0,8}$/.test(String(search.version)) ? Number(search.version) : undefined
  return {
    ...parseTimeRange({ ...search }),
    ...parseSort({ ...search }),
    ...(status && { status }),
    ...(version && { version }),
    ...(isId(search.customerId) && { customerId: search.customerId }),
  }
}

/** Reads the search parameters and ignores invalid values. */
export const parseSearch = (search: Record<string, unknown>): WorkflowSearch => {
  const view = views.find(one => one === search.view)
  const step = textOrUndefined(search.step)
  const event = isId(search.event) ? search.event : undefined
  return { ...(view && { view }), ...(step && { step }), ...(event && { event }), ...runFilters(search) }
}
