/** Search parameters of the workflow page. */
export const views = ['editor', 'json', 'try', 'replay', 'runs', 'history'] as const
export type View = (typeof views)[number]

export interface WorkflowSearch {
  /** View to show. Defaults to the first. */
  view?: View
  /** Step whose form is open; `start` for the trigger. */
  step?: string
  /** Event for a dry run. */
  event?: string
  /** Version shown in the history. Defaults to the published one. */
  version?: number
}

const textOrUndefined = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined)

/** Reads the search parameters and ignores invalid values. */
export const parseSearch = (search: Record<string, unknown>): WorkflowSearch => {
  const view = views.find(one => one === search.view)
  const [step, event] = [textOrUndefined(search.step), textOrUndefined(search.event)]
  const version = /^[1-9]\d{0,8}$/.test(String(search.version)) ? Number(search.version) : undefined
  return { ...(view && { view }), ...(step && { step }), ...(event && { event }), ...(version && { version }) }
}
