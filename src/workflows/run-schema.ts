/** Schemas of runs. */
import { type Static, Type } from '@sinclair/typebox'
import { errorMessage, Id, literals, Nullable, rangeQuery, Time, withDescription } from '../core/schema.ts'
import { endReasons, runStatuses, stepOutcomes } from '../core/statuses.ts'
import type { JsonText } from '../platform/json-text.ts'

export const RunQuery = Type.Object({
  ...rangeQuery().properties,
  status: Type.Optional(
    literals(runStatuses, {
      description: 'Only runs with this status.',
      ...errorMessage(`Must be one of ${runStatuses.join(', ')}.`),
    }),
  ),
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 999_999_999,
      description: 'Only runs of this version.',
      ...errorMessage('Must be the number of a version.'),
    }),
  ),
  customerId: Type.Optional(
    Type.String({ format: 'uuid', description: 'Only runs of this customer.', ...errorMessage('Must be a UUID.') }),
  ),
})
export type RunQuery = Static<typeof RunQuery>

export const Run = Type.Object(
  {
    id: withDescription(Id, 'ID of the run.'),
    workflowId: withDescription(Id, 'ID of the workflow.'),
    version: withDescription(Type.Integer(), 'Version of the workflow that the run uses.'),
    customerId: withDescription(Id, 'ID of the customer of the run.'),
    eventId: withDescription(Id, 'ID of the event that started the run.'),
    status: literals(runStatuses, {
      description: '`waiting`: at a step, for its time or for an arrival. `active`: moving to the next step.',
    }),
    stepId: Nullable(Type.String({ description: 'ID of the current step.' })),
    wakeAt: withDescription(
      Nullable(Time),
      'Time when the run resumes automatically. Null if the run is not waiting for a time.',
    ),
    endReason: Nullable(
      literals(endReasons, {
        description:
          'End reason. For `done`: `completed`, `exited` (by an exit step), `exit_condition` (by an event in `exitOn`) or `opted_out`. For `stopped`: by a person, or with the workflow. For `failed`: `too_many_steps` (more than 1000), `step_missing`, `customer_erased` or `internal_error`. `internal_error` is a fault of the service, after up to three attempts.',
      }),
    ),
    endDetail: Type.Optional(
      Type.String({
        description:
          'Reason for the end in the definition, if it gives one. After a restore: why the operator stopped the run.',
      }),
    ),
    createdAt: withDescription(Time, 'Time when the run started.'),
    endedAt: withDescription(Nullable(Time), 'Time of the end. Null before the end.'),
    steps: Type.Array(
      Type.Object({
        stepId: withDescription(Type.String(), 'ID of the step.'),
        outcome: literals(stepOutcomes, { description: 'Result of the step.' }),
        detail: withDescription(
          Type.Unknown(),
          'Details, depending on the type of the step. For `skipped`: includes the reason.',
        ),
        at: withDescription(Time, 'Time when the step was executed.'),
      }),
      { description: 'Results of the steps, in order.' },
    ),
  },
  { $id: 'Run' },
)
export type Run = Omit<Static<typeof Run>, 'steps'> & { steps: Static<typeof Run>['steps'] | JsonText }
