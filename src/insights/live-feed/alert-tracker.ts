/** Tracks the alerts of a workspace for its live feeds by comparing each poll with the one before. */
import type { FeedRow } from './sql.ts'

/** The fields of an alert that live feeds use. */
export interface Alert {
  kind: string
  title: string
  detail: string
  subject: { type: string; id: string }
}

interface TrackedAlert {
  alert: Alert
  /** Time at which the alert was last sent, or first found. */
  sentAt: number
}

export class AlertTracker {
  readonly #workspaceId: string
  readonly #resendMs: number
  #tracked: Map<string, TrackedAlert>

  /**
   * Alerts that exist at the start are not reported. `resendMs` limits how often a changed text is reported, because
   * the text of a lasting alert can change with every poll.
   */
  constructor(workspaceId: string, alerts: readonly Alert[], now: number, resendMs: number) {
    this.#workspaceId = workspaceId
    this.#resendMs = resendMs
    this.#tracked = new Map(alerts.map(alert => [keyOf(alert), { alert, sentAt: now }]))
  }

  /**
   * Returns new alerts, ended alerts, and alerts whose text changed and which were last sent at least `resendMs` ago.
   */
  update(alerts: readonly Alert[], now: number): FeedRow[] {
    const previous = this.#tracked
    this.#tracked = new Map()
    const rows: FeedRow[] = []
    for (const alert of alerts) {
      const tracked = previous.get(keyOf(alert))
      previous.delete(keyOf(alert))
      const isChanged = !tracked || (textOf(tracked.alert) !== textOf(alert) && now - tracked.sentAt >= this.#resendMs)
      if (isChanged) rows.push(this.#row(alert, now, false))
      this.#tracked.set(keyOf(alert), isChanged ? { alert, sentAt: now } : tracked)
    }
    return [...[...previous.values()].map(({ alert }) => this.#row(alert, now, true)), ...rows]
  }

  #row({ kind, subject }: Alert, now: number, over: boolean): FeedRow {
    return {
      workspaceId: this.#workspaceId,
      kind: 'attention',
      // Allowances and event types are not records, so the id of the workspace is used.
      id: ['allowance', 'event_type'].includes(subject.type) ? this.#workspaceId : subject.id,
      version: over ? 'over' : 'needed',
      at: new Date(now),
      data: { kind, subject, over },
    }
  }
}

const keyOf = ({ kind, subject }: Alert): string => `${kind} ${subject.id}`
const textOf = ({ title, detail }: Alert): string => `${title}\n${detail}`
