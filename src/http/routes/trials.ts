/** Routes that test workflows. They write nothing and send nothing. */
import type { Lender } from '../../db/lend.ts'
import {
  ReplayedWorkflow,
  ReplayWorkflow,
  replayWorkflow,
  TriedWorkflow,
  TryWorkflow,
  tryWorkflow,
} from '../../domain/trials/index.ts'
import { type Operation, operation } from '../operation.ts'
import { readingFor } from './reading.ts'

const tag = 'Workflows'

export const trialRoutes = ({ reads }: { reads: Lender }): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/workflows/:id/try',
    id: 'tryWorkflow',
    verb: tryWorkflow,
    needsNoConnection: true,
    computes: 'trials',
    tag,
    summary: 'Try a workflow with one event',
    description:
      'What would happen, step by step, if the event were recorded now, by a clock that jumps over what is waited for. Nothing is written or sent.',
    body: TryWorkflow,
    example: {
      event: { type: 'order.created', phone: '+4915112345678', name: 'Ana', data: { total: 129.9 } },
      answers: [{ after: 'PT1H', reply: 'yes' }],
    },
    answers: { 200: { description: 'What would happen.', schema: TriedWorkflow, example: tried() } },
    given: ({ params, body, request }) => [readingFor(request, reads), params.id!, body, request.signal],
  }),
  operation({
    method: 'POST',
    path: '/v1/workflows/:id/replay',
    id: 'replayWorkflow',
    verb: replayWorkflow,
    needsNoConnection: true,
    computes: 'trials',
    tag,
    summary: 'Replay a workflow over past events',
    description:
      'For how many events of the last days it would have run, and how far: of at most 50,000, newest first, each with its customer as they are today. Whatever it waits for times out. Nothing is written or sent. Replays and trials of a workspace run one after the other.',
    body: ReplayWorkflow,
    example: { days: 7 },
    answers: {
      200: {
        description: 'What would have happened.',
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
    given: ({ params, body, request }) => [readingFor(request, reads), params.id!, body, request.signal],
  }),
]

function tried(): TriedWorkflow {
  return {
    verdict: {
      workflowId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7f01',
      name: 'Thank for the order',
      verdict: 'started',
      runId: null,
      explanation: '"Thank for the order" (draft) would start.',
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
