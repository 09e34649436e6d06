/** Context shared by all parts of a diagram. */
import { createContext, useContext } from 'react'
import type { Tone } from '../../../ui/Status.tsx'
import type { InsertPosition } from '../definition/edit.ts'
import type { Definition, Fault, StepType } from '../definition/types.ts'

/** Note shown on a step. */
export interface StepBadge {
  text: string
  tone: Tone
  /** True if the note needs two lines, so that a step has no line for its content. */
  isLong?: boolean
  /** Explanation of the note, shown on hover. */
  hint?: string
}

export interface DiagramProps {
  definition: Definition
  /** Step whose form is open, or `start`. */
  selected?: string | undefined
  open?: ((id: string) => void) | undefined
  faults?: Fault[]
  badges?: Record<string, StepBadge>
  /** Results of a step, in place of its content. */
  results?: Record<string, string>
  /** Text per edge, such as a number of runs. */
  counts?: Record<string, string>
  /** Share of the runs per edge, from 0 to 1, drawn as the width of its line. */
  shares?: Record<string, number>
  /** Executed steps and edges. All others are dimmed. */
  path?: { steps: ReadonlySet<string>; edges: ReadonlySet<string> } | undefined
  insert?: ((gap: InsertPosition, type: StepType) => void) | undefined
  label: string
}

export const DiagramContext = createContext<DiagramProps | null>(null)

export const useDiagram = (): DiagramProps => {
  const diagram = useContext(DiagramContext)
  if (!diagram) throw new Error('There is no diagram here.')
  return diagram
}
