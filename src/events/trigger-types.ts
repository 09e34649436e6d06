/** Suggests a similar event type when no workflow listens to the given one. */
import { distance } from 'fastest-levenshtein'
import type { Sql } from '../platform/postgres/client.ts'
import { countTriggerTypes } from '../workflows/index.ts'

/** A type that workflows listen to, and their number. */
export interface DidYouMean {
  type: string
  workflows: number
}

/** Milliseconds for which the types of a workspace are cached. A suggestion can be outdated by this time. */
const cacheMs = 200
/** Maximum number of text comparisons per workspace within `cacheMs`. Above it, no suggestion is made. */
const maxComparisons = 5000
const maxWorkspaces = 10_000
const maxCachedAnswers = 1000

/**
 * Caches the types that each workspace's workflows listen to. Events without listeners then cost a few small queries
 * per workspace and second, instead of one each.
 */
export class TriggerTypes {
  readonly #workspaces = new Map<string, CachedTypes>()

  /** Reads the types of workspaces that are not in the cache or are outdated. */
  async refresh(sql: Sql, workspaceIds: Iterable<string>): Promise<void> {
    const now = performance.now()
    const stale = [...new Set(workspaceIds)].filter(id => !((this.#workspaces.get(id)?.until ?? 0) > now))
    if (stale.length === 0) return
    const counts = Map.groupBy(await countTriggerTypes(sql, stale), ({ workspaceId }) => workspaceId)
    if (this.#workspaces.size > maxWorkspaces) this.#workspaces.clear()
    for (const id of stale) this.#workspaces.set(id, new CachedTypes(counts.get(id) ?? [], now + cacheMs))
  }

  /**
   * Returns the most similar type that a workflow in the workspace listens to. Null if none is similar. Call `refresh`
   * first.
   */
  nearest(workspaceId: string, type: string): DidYouMean | null {
    return this.#workspaces.get(workspaceId)?.nearest(type) ?? null
  }
}

class CachedTypes {
  readonly #types: NormalizedType[]
  readonly #answers = new Map<string, DidYouMean | null>()
  #comparisonsLeft = maxComparisons

  /** `types` are sorted by the number of workflows, highest first. `until` is on the clock of performance.now(). */
  constructor(
    types: DidYouMean[],
    readonly until: number,
  ) {
    this.#types = types.map(({ type, workflows }) => ({ suggestion: { type, workflows }, normalized: normalize(type) }))
  }

  nearest(type: string): DidYouMean | null {
    if (this.#types.length === 0) return null
    const cached = this.#answers.get(type)
    if (cached !== undefined) return cached
    const answer = this.#findNearest(normalize(type))
    if (this.#answers.size < maxCachedAnswers) this.#answers.set(type, answer)
    return answer
  }

  #findNearest(normalized: string): DidYouMean | null {
    if (this.#comparisonsLeft < this.#types.length) return null
    this.#comparisonsLeft -= this.#types.length
    let minDistance = maxEditDistance(normalized) + 1
    let nearest: DidYouMean | null = null
    for (const { suggestion, normalized: other } of this.#types) {
      if (Math.abs(other.length - normalized.length) >= minDistance) continue
      const edits = distance(other, normalized)
      if (edits < minDistance) [minDistance, nearest] = [edits, suggestion]
    }
    return nearest
  }
}

interface NormalizedType {
  suggestion: DidYouMean
  normalized: string
}

/** Normalises a type: ignores case, surrounding space, and which of . _ - and space separates words. */
const normalize = (type: string): string =>
  type
    .trim()
    .toLowerCase()
    .replaceAll(/[._\-\s]+/g, '.')

/** Returns the maximum number of different letters. In a short word, two letters make another word. */
const maxEditDistance = (normalized: string): number => {
  if (normalized.length < 4) return 0
  return normalized.length < 6 ? 1 : 2
}
