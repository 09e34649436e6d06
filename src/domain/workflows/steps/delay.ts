/** `delay`: the run waits for a while. */
import { type Static, Type } from '@sinclair/typebox'
import { message } from '../../schema.ts'
import { durationMs } from '../duration.ts'
import { Next } from '../ids.ts'
import type { StepType } from './step.ts'

const forWanted = message('Must be a duration of at most 90 days, such as PT1H, P2D, 30s, 5m or 2d.')

const DelayStep = Type.Object(
  {
    type: Type.Literal('delay'),
    for: Type.String({
      ...forWanted,
      description:
        'ISO 8601 (`PT1H`, `P2D`) or short (`500ms`, `30s`, `5m`, `1h`, `2d`), at most 90 days. The first delay of a run is measured from the moment the event was recorded. A circle of steps must hold a delay of at least 1 second.',
    }),
    next: Next,
  },
  { additionalProperties: false },
)
type DelayStep = Static<typeof DelayStep>

export const delay: StepType<DelayStep> = {
  schema: DelayStep,
  pointers: ({ next }) => ({ next }),
  *faults(step) {
    if (durationMs(step.for) === null) yield ['for', forWanted['x-message']]
  },
  minWaitMs: step => durationMs(step.for) ?? 0,
  enter(step, { waitsFrom }) {
    const waitUntil = new Date(waitsFrom.getTime() + (durationMs(step.for) ?? 0))
    return { outcome: 'waiting', detail: { until: waitUntil.toISOString() }, waitUntil }
  },
  resume: ({ next }) => next,
}
