/** Tracks the alerts of a workspace for its live feeds by comparing each poll with the one before. */
import type { SeenRow } from './sql.ts'

/** The fields of an alert that live feeds use. */
export interface Need {
  kind: string
  title: string
  detail: string
  subject: { type: string; id: string }
}

interface Known {
  need: Need
  /** Time at which the alert was last sent, or first found. */
  toldAt: number
}

export class Needs {
  readonly #workspaceId: string
  readonly #sayAgainMs: number
  #known: Map<string, Known>

  /**
   * Alerts that exist at the start are not reported. `sayAgainMs` limits how often a changed text is reported, because
   * the text of a lasting alert can change with every poll.
   */
  constructor(workspaceId: string, found: readonly Need[], now: number, sayAgainMs: number) {
    this.#workspaceId = workspaceId
    this.#sayAgainMs = sayAgainMs
    this.#known = new Map(found.map(need => [nameOf(need), { need, toldAt: now }]))
  }

  /**
   * Returns new alerts, ended alerts, and alerts whose text changed and which were last sent at least `sayAgainMs` ago.
   */
  take(found: readonly Need[], now: number): SeenRow[] {
    const before = this.#known
    this.#known = new Map()
    const rows: SeenRow[] = []
    for (const need of found) {
      const known = before.get(nameOf(need))
      before.delete(nameOf(need))
      const isNews = !known || (wordsOf(known.need) !== wordsOf(need) && now - known.toldAt >= this.#sayAgainMs)
      if (isNews) rows.push(this.#row(need, now, false))
      this.#known.set(nameOf(need), isNews ? { need, toldAt: now } : known)
    }
    return [...[...before.values()].map(({ need }) => this.#row(need, now, true)), ...rows]
  }

  #row({ kind, subject }: Need, now: number, over: boolean): SeenRow {
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

const nameOf = ({ kind, subject }: Need): string => `${kind} ${subject.id}`
const wordsOf = ({ title, detail }: Need): string => `${title}\n${detail}`
