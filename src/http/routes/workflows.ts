import { Page, PageQuery } from '../../domain/schema.ts'
import {
  ChangeWorkflow,
  CreateWorkflow,
  changeWorkflow,
  createWorkflow,
  type Definition,
  listRuns,
  listWorkflows,
  publishWorkflow,
  Run,
  readWorkflow,
  Workflow,
} from '../../domain/workflows/index.ts'
import { type Operation, operation } from '../operation.ts'

const tag = 'Workflows'

export const workflowRoutes = (): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/workflows',
    id: 'createWorkflow',
    verb: createWorkflow,
    tag,
    summary: 'Create a workflow',
    description: 'A draft, switched off. Events start runs once it is published and switched on.',
    body: CreateWorkflow,
    example: { name: 'Thank for the order', definition },
    answers: { 201: { description: 'The workflow.', schema: Workflow, example: example() } },
    given: ({ body }) => [body as CreateWorkflow],
  }),
  operation({
    method: 'GET',
    path: '/v1/workflows',
    id: 'listWorkflows',
    verb: listWorkflows,
    tag,
    summary: 'List workflows',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page of workflows.',
        schema: Page(Workflow),
        example: { data: [example()], nextCursor: null },
      },
    },
    given: ({ query }) => [query],
  }),
  operation({
    method: 'GET',
    path: '/v1/workflows/:id',
    id: 'readWorkflow',
    verb: readWorkflow,
    tag,
    summary: 'Read a workflow',
    answers: { 200: { description: 'The workflow.', schema: Workflow, example: example() } },
    given: ({ params }) => [params.id!],
  }),
  operation({
    method: 'PATCH',
    path: '/v1/workflows/:id',
    id: 'changeWorkflow',
    verb: changeWorkflow,
    tag,
    summary: 'Change a workflow',
    description:
      'Its name, its draft, or the switch `enabled`. Runs under way and the published version stay as they are.',
    body: ChangeWorkflow,
    example: { enabled: true },
    answers: {
      200: { description: 'The workflow as it is now.', schema: Workflow, example: { ...example(), enabled: true } },
    },
    errors: ['plan_limit_reached'],
    given: ({ params, body }) => [params.id!, body as ChangeWorkflow],
  }),
  operation({
    method: 'POST',
    path: '/v1/workflows/:id/publish',
    id: 'publishWorkflow',
    verb: publishWorkflow,
    tag,
    summary: 'Publish the draft',
    description: 'Events start runs of this version from now on; runs under way keep theirs.',
    answers: {
      200: {
        description: 'The workflow with its new published version.',
        schema: Workflow,
        example: { ...example(), publishedVersion: 1 },
      },
    },
    errors: ['conflict', 'invalid_request'],
    given: ({ params }) => [params.id!],
  }),
  operation({
    method: 'GET',
    path: '/v1/workflows/:id/runs',
    id: 'listRuns',
    verb: listRuns,
    tag,
    summary: 'List the runs of a workflow',
    description: 'Newest first, each with what its steps did.',
    query: PageQuery,
    answers: {
      200: { description: 'A page of runs.', schema: Page(Run), example: { data: [exampleRun()], nextCursor: null } },
    },
    given: ({ params, query }) => [params.id!, query],
  }),
]

const definition: Definition = {
  trigger: { eventType: 'order.created' },
  start: 'wait',
  steps: {
    wait: { type: 'delay', for: 'PT2S', next: 'big' },
    big: { type: 'condition', if: { path: 'data.total', op: 'gte', value: 200 }, then: 'vip', else: 'thanks' },
    vip: {
      type: 'send_message',
      text: 'Dear {{customer.name|customer}}, thank you for your order of {{data.total}}. A gift is on its way.',
      next: null,
    },
    thanks: {
      type: 'send_message',
      text: 'Thank you, {{customer.name|dear customer}}! Your order over {{data.total}} has arrived.',
      next: null,
    },
  },
}

const workflowId = '01981b7e-3c00-7a51-9a64-1f0f5c3d7f01'

function example(): Workflow {
  return {
    id: workflowId,
    name: 'Thank for the order',
    enabled: false,
    triggerType: 'order.created',
    publishedVersion: null,
    draft: definition,
    createdAt: '2026-03-01T09:00:00.000Z',
    updatedAt: '2026-03-01T09:00:00.000Z',
  }
}

function exampleRun(): Run {
  return {
    id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7f02',
    workflowId,
    version: 1,
    customerId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e02',
    eventId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7c01',
    status: 'done',
    stepId: null,
    wakeAt: null,
    endReason: 'completed',
    createdAt: '2026-03-01T09:30:00.000Z',
    endedAt: '2026-03-01T09:30:02.000Z',
    steps: [
      {
        stepId: 'wait',
        outcome: 'waiting',
        detail: { until: '2026-03-01T09:30:02.000Z' },
        at: '2026-03-01T09:30:00.000Z',
      },
      { stepId: 'big', outcome: 'else', detail: null, at: '2026-03-01T09:30:02.000Z' },
      { stepId: 'thanks', outcome: 'queued', detail: null, at: '2026-03-01T09:30:02.000Z' },
    ],
  }
}
