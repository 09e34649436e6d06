/** What needs somebody in a workspace, as streams were told of it: each look is held against the one before. */
import type { SeenRow } from './sql.ts'

/** Of what is said of something that needs somebody, what matters here. */
export interface Need {
  kind: string
  title: string
  detail: string
  subject: { type: string; id: string }
}

interface Known {
  need: Need
  /** When it was told last, or found first. */
  toldAt: number
}

export class Needs {
  readonly #workspaceId: string
  readonly #sayAgainMs: number
  #known: Map<string, Known>

  /** What is there already is no news. `sayAgainMs`: what is said of something that lasts changes with each look. */
  constructor(workspaceId: string, found: readonly Need[], now: number, sayAgainMs: number) {
    this.#workspaceId = workspaceId
    this.#sayAgainMs = sayAgainMs
    this.#known = new Map(found.map(need => [nameOf(need), { need, toldAt: now }]))
  }

  /** What came, what is over, and what is said in other words than a while ago. */
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
      // An allowance and a type of event are no records: they are the workspace's.
      id: ['allowance', 'event_type'].includes(subject.type) ? this.#workspaceId : subject.id,
      version: over ? 'over' : 'needed',
      at: new Date(now),
      data: { kind, subject, over },
    }
  }
}

const nameOf = ({ kind, subject }: Need): string => `${kind} ${subject.id}`
const wordsOf = ({ title, detail }: Need): string => `${title}\n${detail}`
