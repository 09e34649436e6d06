/** Step `exit`: ends the run with a custom reason. */
import { type Static, Type } from '@sinclair/typebox'
import { Reason } from '../exit-on.ts'
import type { StepType } from './step.ts'

const ExitStep = Type.Object(
  { type: Type.Literal('exit', { description: 'Ends the run.' }), reason: Reason },
  { additionalProperties: false, $id: 'ExitStep' },
)
type ExitStep = Static<typeof ExitStep>

export const exit: StepType<ExitStep> = {
  schema: ExitStep,
  pointers: () => ({}),
  enter: ({ reason }) => ({ outcome: 'exited', detail: { reason }, exit: reason }),
}
