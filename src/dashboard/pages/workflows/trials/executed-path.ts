/** Executed steps and edges of a run, computed from its trace. */
import type { Definition } from '../definition/types.ts'
import { makeEdgeId } from '../diagram/graph.ts'

/** Trace entry of a run or of a dry run. */
export interface TraceEntry {
  stepId: string
  outcome: string
  detail?: unknown
  at: string
}

export interface ExecutedPath {
  steps: Set<string>
  edges: Set<string>
}

/** Returns the reference that an outcome follows, or null if it follows none yet. */
const followedPointer = (definition: Definition, { stepId, outcome, detail }: TraceEntry): string | null => {
  const step = definition.steps[stepId]
  if (!step || step.type === 'exit') return null
  if (step.type === 'condition') return outcome === 'then' || outcome === 'else' ? outcome : null
  if (step.type !== 'wait_for') return 'next'
  if (outcome === 'timeout') return 'onTimeout'
  const exit: unknown = typeof detail === 'object' && detail !== null ? Reflect.get(detail, 'exit') : undefined
  return typeof exit === 'number' ? `any.${exit}` : null
}

/** `completed` = the run reached the end of its steps, so the edge after the last step is included. */
export const toExecutedPath = (
  definition: Definition,
  trace: readonly TraceEntry[],
  completed: boolean,
): ExecutedPath => {
  const steps = new Set(trace.map(({ stepId }) => stepId))
  const edges = new Set<string>()
  if (trace.length > 0) edges.add(makeEdgeId(null, 'start'))
  for (const [index, entry] of trace.entries()) {
    const pointer = followedPointer(definition, entry)
    if (pointer !== null && (index < trace.length - 1 || completed)) edges.add(makeEdgeId(entry.stepId, pointer))
  }
  return { steps, edges }
}

/** Returns the number of runs per edge, where it follows from the number of runs per step. */
export const countEdges = (
  definition: Definition,
  byStep: Record<string, number>,
  edges: readonly { id: string; source: string; target: string }[],
  started: number,
): Record<string, number> => {
  const counts: Record<string, number> = { start: started }
  for (let changed = true; changed; ) {
    changed = false
    const deriveCount = (siblings: readonly { id: string }[], total: number) => {
      const unknownEdges = siblings.filter(({ id }) => counts[id] === undefined)
      const [last] = unknownEdges
      if (!last || unknownEdges.length > 1) return
      const knownTotal = siblings.reduce((sum, { id }) => sum + (counts[id] ?? 0), 0)
      counts[last.id] = Math.max(0, total - knownTotal)
      changed = true
    }
    for (const id of Object.keys(definition.steps)) {
      const total = byStep[id] ?? 0
      const [incoming, outgoing] = [
        edges.filter(({ target }) => target === id),
        edges.filter(({ source }) => source === id),
      ]
      deriveCount(incoming, total)
      deriveCount(outgoing, total)
      // No run entered the step, so no run left it.
      if (total === 0)
        for (const { id: edge } of [...incoming, ...outgoing])
          if (counts[edge] === undefined) {
            counts[edge] = 0
            changed = true
          }
    }
  }
  return counts
}
