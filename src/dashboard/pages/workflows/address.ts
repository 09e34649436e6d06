/** What of a workflow is shown, as it stands in the address. */
export const views = ['editor', 'json', 'try', 'replay', 'runs', 'history'] as const
export type View = (typeof views)[number]

export interface WorkflowSearch {
  /** The first where nothing is said. */
  view?: View
  /** The step whose form is open; `start` for how a run begins. */
  step?: string
  /** The event to try it on. */
  event?: string
  /** The version that the history shows; the published one where nothing is said. */
  version?: number
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined)

/** What is nothing of this is left out. */
export const searchOf = (search: Record<string, unknown>): WorkflowSearch => {
  const view = views.find(one => one === search.view)
  const [step, event] = [textOf(search.step), textOf(search.event)]
  const version = /^[1-9]\d{0,8}$/.test(String(search.version)) ? Number(search.version) : undefined
  return { ...(view && { view }), ...(step && { step }), ...(event && { event }), ...(version && { version }) }
}
