/** Routes that test workflows. They write nothing and send nothing. */

import {
  ReplayedWorkflow,
  ReplayWorkflow,
  replayWorkflow,
  TriedWorkflow,
  TryWorkflow,
  tryWorkflow,
} from '../../../events/trials/index.ts'
import type { LimitedPool } from '../../../platform/postgres/limited-pool.ts'
import { type Operation, operation } from '../../operation.ts'
import { readRunnerFor } from '../read-runner.ts'

const tag = 'Workflows'

export const trialRoutes = ({ reads }: { reads: LimitedPool }): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/workflows/:id/try',
    id: 'tryWorkflow',
    verb: tryWorkflow,
    runsWithoutConnection: true,
    computation: 'trials',
    tag,
    summary: 'Test a workflow with one event',
    description:
      'Simulates the workflow step by step, as if the event were recorded now. The simulated clock skips waiting times. Nothing is written or sent.',
    body: TryWorkflow,
    example: {
      event: { type: 'order.created', phone: '+4915112345678', name: 'Ana', data: { total: 129.9 } },
      answers: [{ after: 'PT1H', reply: 'yes' }],
    },
    answers: { 200: { description: 'The simulated run.', schema: TriedWorkflow, example: exampleTrial() } },
    args: ({ params, body, request }) => [readRunnerFor(request, reads), params.id!, body, request.signal],
  }),
  operation({
    method: 'POST',
    path: '/v1/workflows/:id/replay',
    id: 'replayWorkflow',
    verb: replayWorkflow,
    runsWithoutConnection: true,
    computation: 'trials',
    tag,
    summary: 'Replay a workflow over past events',
    description:
      'Simulates the workflow over the events of recent days, at most 50,000, newest first. Returns how many runs would have started and which steps they would have reached. Each event uses the current data of its customer. Every step that waits times out. Nothing is written or sent. A workspace runs one replay or test at a time.',
    body: ReplayWorkflow,
    example: { days: 7 },
    answers: {
      200: {
        description: 'The results of the simulation.',
        schema: ReplayedWorkflow,
        example: {
          events: 120,
          complete: true,
          verdicts: { started: 100, not_run_for_customer: 20 },
          byStep: { wait: 100, big: 100, vip: 12, thanks: 88 },
          ends: { completed: 100 },
        },
      },
    },
    args: ({ params, body, request }) => [readRunnerFor(request, reads), params.id!, body, request.signal],
  }),
]

function exampleTrial(): TriedWorkflow {
  return {
    verdict: {
      workflowId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7f01',
      name: 'Order thank-you',
      verdict: 'started',
      runId: null,
      explanation: '“Order thank-you” (draft) would start.',
      comparisons: [],
    },
    steps: [
      {
        stepId: 'wait',
        outcome: 'waiting',
        detail: { until: '2026-03-01T09:30:02.000Z' },
        at: '2026-03-01T09:30:00.000Z',
      },
      { stepId: 'thanks', outcome: 'queued', detail: null, at: '2026-03-01T09:30:02.000Z' },
    ],
    messages: [
      {
        stepId: 'thanks',
        channelId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7f09',
        handle: '+4915112345678',
        text: 'Thank you, Ana! Your order over 129.9 has arrived.',
        templateId: null,
        skipped: null,
        at: '2026-03-01T09:30:02.000Z',
      },
    ],
    sales: [],
    endReason: 'completed',
  }
}
