/** The event type that was perhaps meant, where nothing listens for the one that came. */
import { distance } from 'fastest-levenshtein'
import type { Sql } from '../../db/client.ts'
import { countTriggerTypes } from '../workflows/index.ts'

/** A type that something listens to, and how many workflows name it. */
export interface DidYouMean {
  type: string
  workflows: number
}

/** For so long the types of a workspace are taken from memory: a suggestion may be this much behind the workflows. */
const freshMs = 200
/** Comparisons of letters per workspace and period of freshness; beyond them nothing is near. */
const maxComparisons = 5000
const maxWorkspaces = 10_000
const maxAnswers = 1000

/**
 * What each workspace's workflows listen to, remembered for a moment, so that events which nobody listens to cost a few
 * small queries per workspace and second instead of one each.
 */
export class TriggerTypes {
  readonly #workspaces = new Map<string, Remembered>()

  /** Reads the types of those workspaces that are not remembered or no longer fresh. */
  async refresh(sql: Sql, workspaceIds: Iterable<string>): Promise<void> {
    const now = performance.now()
    const stale = [...new Set(workspaceIds)].filter(id => !((this.#workspaces.get(id)?.until ?? 0) > now))
    if (stale.length === 0) return
    const found = Map.groupBy(await countTriggerTypes(sql, stale), ({ workspaceId }) => workspaceId)
    if (this.#workspaces.size > maxWorkspaces) this.#workspaces.clear()
    for (const id of stale) this.#workspaces.set(id, new Remembered(found.get(id) ?? [], now + freshMs))
  }

  /** The nearest type that something in the workspace listens to; null when none is near. Refresh before. */
  nearest(workspaceId: string, type: string): DidYouMean | null {
    return this.#workspaces.get(workspaceId)?.nearest(type) ?? null
  }
}

class Remembered {
  readonly #types: Folded[]
  readonly #answers = new Map<string, DidYouMean | null>()
  #comparisonsLeft = maxComparisons

  /** `types`: the ones most listened to in front. `until`: by performance.now(). */
  constructor(
    types: DidYouMean[],
    readonly until: number,
  ) {
    this.#types = types.map(({ type, workflows }) => ({ meant: { type, workflows }, folded: fold(type) }))
  }

  nearest(type: string): DidYouMean | null {
    if (this.#types.length === 0) return null
    const known = this.#answers.get(type)
    if (known !== undefined) return known
    const answer = this.#minLettersApart(fold(type))
    if (this.#answers.size < maxAnswers) this.#answers.set(type, answer)
    return answer
  }

  #minLettersApart(folded: string): DidYouMean | null {
    if (this.#comparisonsLeft < this.#types.length) return null
    this.#comparisonsLeft -= this.#types.length
    let least = lettersThatMayDiffer(folded) + 1
    let nearest: DidYouMean | null = null
    for (const { meant, folded: other } of this.#types) {
      if (Math.abs(other.length - folded.length) >= least) continue
      const letters = distance(other, folded)
      if (letters < least) [least, nearest] = [letters, meant]
    }
    return nearest
  }
}

interface Folded {
  meant: DidYouMean
  folded: string
}

/** Spelt alike: without regard to case, to space around it, and to which of . _ - and space separates the words. */
const fold = (type: string): string =>
  type
    .trim()
    .toLowerCase()
    .replaceAll(/[._\-\s]+/g, '.')

/** How many letters may differ. In a short word two are another word. */
const lettersThatMayDiffer = (folded: string): number => {
  if (folded.length < 4) return 0
  return folded.length < 6 ? 1 : 2
}
