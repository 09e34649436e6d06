import type { Lender } from '../../db/lend.ts'
import { Page, PageQuery } from '../../domain/schema.ts'
import {
  ChangeWorkflow,
  CheckedWorkflow,
  CreateWorkflow,
  changeWorkflow,
  checkWorkflow,
  createWorkflow,
  type Definition,
  deleteWorkflow,
  listRuns,
  listVersions,
  listWorkflows,
  PublishWorkflow,
  publishWorkflow,
  Run,
  readImpact,
  readRun,
  readStats,
  readVersion,
  readWorkflow,
  refuseTooManyConditions,
  StatsQuery,
  stopRun,
  Workflow,
  WorkflowImpact,
  WorkflowStats,
  WorkflowToCheck,
  WorkflowVersion,
  WorkflowVersionWhole,
} from '../../domain/workflows/index.ts'
import { type Operation, operation } from '../operation.ts'
import { readingFor } from './reading.ts'

const tag = 'Workflows'

export const workflowRoutes = ({ reads }: { reads: Lender }): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/workflows',
    id: 'createWorkflow',
    versioned: true,
    verb: createWorkflow,
    beforeShape: refuseTooManyConditions,
    tag,
    summary: 'Create a workflow',
    description:
      'A draft, switched off, with a complete definition. Events start runs once it is published and switched on.',
    body: CreateWorkflow,
    example: { name: 'Thank for the order', definition },
    answers: { 201: { description: 'The workflow.', schema: Workflow, example: example() } },
    errors: { unprocessable: 'the workspace has 500 workflows. Remove one that you no longer need.' },
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
    method: 'POST',
    path: '/v1/workflows/check',
    id: 'checkWorkflow',
    verb: checkWorkflow,
    needsNoConnection: true,
    computes: 'checks',
    maxBytes: 256 * 1024,
    beforeShape: refuseTooManyConditions,
    tag,
    summary: 'Judge a definition without saving it',
    description:
      'Says whether it could be published at this moment, and what is wrong with it where. Nothing is written. An incomplete definition can be saved as a draft all the same.',
    body: WorkflowToCheck,
    example: { definition: { ...definition, start: 'thank' } },
    answers: {
      200: {
        description: 'The judgement.',
        schema: CheckedWorkflow,
        example: {
          valid: false,
          details: { 'definition.start': 'There is no step "thank"; the steps are wait, big, vip, thanks.' },
        },
      },
    },
    given: ({ body, request }) => [readingFor(request, reads), body],
  }),
  operation({
    method: 'GET',
    path: '/v1/workflows/:id',
    id: 'readWorkflow',
    versioned: true,
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
    versioned: true,
    verb: changeWorkflow,
    beforeShape: refuseTooManyConditions,
    tag,
    summary: 'Change a workflow',
    description:
      'Its name, its draft, or the switch `enabled`. A draft can be saved before it is complete: `draftErrors` of the answer says what publishing would refuse. Of an incomplete draft the outline must be right (`WorkflowDraft`). Runs under way and the published version stay as they are.',
    body: ChangeWorkflow,
    example: { enabled: true },
    answers: {
      200: { description: 'The workflow as it is now.', schema: Workflow, example: { ...example(), enabled: true } },
    },
    allowance: 'activeWorkflows',
    errors: {
      unprocessable: 'switched on, it would name templates that are gone, or that lack a value; `details` says where.',
    },
    given: ({ params, body }) => [params.id!, body as ChangeWorkflow],
  }),
  operation({
    method: 'DELETE',
    path: '/v1/workflows/:id',
    id: 'deleteWorkflow',
    versioned: true,
    verb: deleteWorkflow,
    tag,
    summary: 'Remove a workflow',
    description: 'With its draft and its versions. Events and runs stay, without the name of the workflow.',
    answers: { 204: { description: 'The workflow is gone.' } },
    errors: { unprocessable: 'the workflow is switched on, or has runs under way.' },
    given: ({ params }) => [params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/workflows/:id/publish',
    id: 'publishWorkflow',
    versioned: true,
    verb: publishWorkflow,
    tag,
    summary: 'Publish the draft',
    description:
      'Events start runs of this version from now on; runs under way keep theirs, unless `move` has them go on by it.',
    body: PublishWorkflow,
    mayBeEmpty: 'or no JSON',
    example: { move: true },
    answers: {
      200: {
        description: 'The workflow with its new published version.',
        schema: Workflow,
        example: { ...example(), publishedVersion: 1 },
      },
    },
    errors: {
      conflict: 'the draft changed while it was being published. Read it again.',
      unprocessable: 'runs under way need all of the 200 versions that a workflow may have.',
      invalid_request: 'the draft is not complete: `details` names each fault at its place within `definition`.',
    },
    given: ({ params, body }) => [params.id!, body],
  }),
  operation({
    method: 'GET',
    path: '/v1/workflows/:id/versions',
    id: 'listWorkflowVersions',
    verb: listVersions,
    tag,
    summary: 'List what was published',
    description: 'Newest first, without the definitions.',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page of versions.',
        schema: Page(WorkflowVersion),
        example: { data: [exampleVersion], nextCursor: null },
      },
    },
    given: ({ params, query }) => [params.id!, query],
  }),
  operation({
    method: 'GET',
    path: '/v1/workflows/:id/versions/:version',
    id: 'readWorkflowVersion',
    verb: readVersion,
    tag,
    summary: 'Read what was published',
    answers: {
      200: {
        description: 'The version with its definition.',
        schema: WorkflowVersionWhole,
        example: { ...exampleVersion, definition },
      },
    },
    given: ({ params }) => [params.id!, params.version!],
  }),
  operation({
    method: 'GET',
    path: '/v1/workflows/:id/impact',
    id: 'readWorkflowImpact',
    verb: readImpact,
    tag,
    summary: 'See what publishing would mean',
    description: 'Where runs under way stand, and which of them could go on by the draft.',
    answers: {
      200: {
        description: 'As of this moment.',
        schema: WorkflowImpact,
        example: { runsInFlight: 12, byStep: { wait: 9, gift: 3 }, removedSteps: ['gift'], movable: 9 },
      },
    },
    given: ({ params }) => [params.id!],
  }),
  operation({
    method: 'GET',
    path: '/v1/workflows/:id/stats',
    id: 'readWorkflowStats',
    verb: readStats,
    tag,
    summary: 'See how its runs do',
    query: StatsQuery,
    answers: {
      200: {
        description: 'As of this moment.',
        schema: WorkflowStats,
        example: { waiting: { wait: 9 }, last7Days: { started: 130, completed: 110, failed: 1, exited: 7 } },
      },
    },
    given: ({ params, query }) => [params.id!, query],
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
  operation({
    method: 'GET',
    path: '/v1/runs/:id',
    id: 'readRun',
    verb: readRun,
    tag,
    summary: 'Read a run',
    description: 'With what its steps did.',
    answers: { 200: { description: 'The run.', schema: Run, example: exampleRun() } },
    given: ({ params }) => [params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/runs/:id/stop',
    id: 'stopRun',
    verb: stopRun,
    tag,
    summary: 'Stop a run',
    description: 'It ends where it stands: what it has done stays done, and nothing more of it is.',
    answers: {
      200: {
        description: 'The run as it is now.',
        schema: Run,
        example: { ...exampleRun(), status: 'stopped', endReason: 'stopped' },
      },
    },
    errors: {
      unprocessable: 'the run has ended already.',
    },
    given: ({ params }) => [params.id!],
  }),
]

const exampleVersion: WorkflowVersion = {
  version: 1,
  publishedAt: '2026-03-01T09:10:00.000Z',
  publishedBy: '01981b7e-3c00-7a51-9a64-1f0f5c3d7a02',
}

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
    draftErrors: [],
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
