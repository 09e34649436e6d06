import { Page, PageQuery } from '../../../core/schema.ts'
import type { LimitedPool } from '../../../platform/postgres/limited-pool.ts'
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
  RunQuery,
  readImpact,
  readRun,
  readStats,
  readVersion,
  readWorkflow,
  rejectTooManyConditions,
  StatsQuery,
  stopRun,
  Workflow,
  WorkflowImpact,
  WorkflowQuery,
  WorkflowStats,
  WorkflowToCheck,
  WorkflowVersion,
  WorkflowVersionWhole,
} from '../../../workflows/index.ts'
import { type Operation, operation } from '../../operation.ts'
import { readRunnerFor } from '../read-runner.ts'

const tag = 'Workflows'

export const workflowRoutes = ({ reads }: { reads: LimitedPool }): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/workflows',
    id: 'createWorkflow',
    versioned: true,
    verb: createWorkflow,
    beforeValidate: rejectTooManyConditions,
    tag,
    summary: 'Create a workflow',
    description:
      'Creates a disabled workflow with a draft. Events start runs after you publish and enable the workflow. You can save an incomplete draft. `draftErrors` in the response lists the errors that prevent publishing. An incomplete draft must still have the outline of a `WorkflowDraft`.',
    body: CreateWorkflow,
    example: { name: 'Order thank-you', definition },
    answers: { 201: { description: 'The workflow.', schema: Workflow, example: example() } },
    errors: { unprocessable: 'the workspace has 500 workflows. Remove a workflow that you no longer need.' },
    args: ({ body }) => [body as CreateWorkflow],
  }),
  operation({
    method: 'GET',
    path: '/v1/workflows',
    id: 'listWorkflows',
    verb: listWorkflows,
    tag,
    summary: 'List workflows',
    description:
      'Returns the workflows that are not archived, newest first by default. `archived=true` returns the others.',
    query: WorkflowQuery,
    answers: {
      200: {
        description: 'A page of workflows.',
        schema: Page(Workflow),
        example: { data: [example()], nextCursor: null },
      },
    },
    args: ({ query }) => [query],
  }),
  operation({
    method: 'POST',
    path: '/v1/workflows/check',
    id: 'checkWorkflow',
    verb: checkWorkflow,
    runsWithoutConnection: true,
    computation: 'checks',
    maxBytes: 256 * 1024,
    beforeValidate: rejectTooManyConditions,
    tag,
    summary: 'Validate a definition without saving it',
    description:
      'Checks whether the definition can be published now, and returns each error with its location. Nothing is written. An incomplete definition can still be saved as a draft.',
    body: WorkflowToCheck,
    example: { definition: { ...definition, start: 'thank' } },
    answers: {
      200: {
        description: 'The result of the validation.',
        schema: CheckedWorkflow,
        example: {
          valid: false,
          details: { 'definition.start': 'There is no step "thank". The steps are wait, big, vip, thanks.' },
        },
      },
    },
    args: ({ body, request }) => [readRunnerFor(request, reads), body],
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
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'PATCH',
    path: '/v1/workflows/:id',
    id: 'changeWorkflow',
    versioned: true,
    verb: changeWorkflow,
    beforeValidate: rejectTooManyConditions,
    tag,
    summary: 'Change a workflow',
    description:
      'Changes the name, the draft or `enabled`, or archives the workflow. You can save an incomplete draft. `draftErrors` in the response lists the errors that prevent publishing. An incomplete draft must still have the outline of a `WorkflowDraft`. Active runs and the published version do not change.',
    body: ChangeWorkflow,
    example: { enabled: true },
    answers: {
      200: {
        description: 'The workflow after the change.',
        schema: Workflow,
        example: { ...example(), enabled: true },
      },
    },
    allowance: 'activeWorkflows',
    errors: {
      unprocessable:
        'the enabled workflow would use templates that are removed or lack a value (`details` names the locations), or it is archived.',
    },
    args: ({ params, body }) => [params.id!, body as ChangeWorkflow],
  }),
  operation({
    method: 'DELETE',
    path: '/v1/workflows/:id',
    id: 'deleteWorkflow',
    versioned: true,
    verb: deleteWorkflow,
    tag,
    summary: 'Remove a workflow',
    description:
      'Removes the workflow with its draft and its versions. Events and runs stay, without the name of the workflow.',
    answers: { 204: { description: 'The workflow is removed.' } },
    errors: { unprocessable: 'the workflow is enabled or has active runs.' },
    args: ({ params }) => [params.id!],
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
      'Publishes the draft as the next version. New events start runs of this version. Active runs keep their version. With `move`, active runs continue with the new version if it still has their step.',
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
      conflict: 'the draft changed during publishing. Read it again.',
      unprocessable: 'a workflow can have 200 versions, and active runs use all of them. Or it is archived.',
      invalid_request: 'the draft is not complete. `details` names each error by its path within `definition`.',
    },
    args: ({ params, body }) => [params.id!, body],
  }),
  operation({
    method: 'GET',
    path: '/v1/workflows/:id/versions',
    id: 'listWorkflowVersions',
    verb: listVersions,
    tag,
    summary: 'List workflow versions',
    description: 'Returns the published versions, newest first, without their definitions.',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page of versions.',
        schema: Page(WorkflowVersion),
        example: { data: [exampleVersion], nextCursor: null },
      },
    },
    args: ({ params, query }) => [params.id!, query],
  }),
  operation({
    method: 'GET',
    path: '/v1/workflows/:id/versions/:version',
    id: 'readWorkflowVersion',
    verb: readVersion,
    tag,
    summary: 'Read a workflow version',
    answers: {
      200: {
        description: 'The version with its definition.',
        schema: WorkflowVersionWhole,
        example: { ...exampleVersion, definition },
      },
    },
    args: ({ params }) => [params.id!, params.version!],
  }),
  operation({
    method: 'GET',
    path: '/v1/workflows/:id/impact',
    id: 'readWorkflowImpact',
    verb: readImpact,
    tag,
    summary: 'Preview the impact of publishing',
    description: 'Returns the current steps of active runs, and how many of these runs can move to the draft.',
    answers: {
      200: {
        description: 'The current impact of publishing.',
        schema: WorkflowImpact,
        example: { runsInFlight: 12, byStep: { wait: 9, gift: 3 }, removedSteps: ['gift'], movable: 9 },
      },
    },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'GET',
    path: '/v1/workflows/:id/stats',
    id: 'readWorkflowStats',
    verb: readStats,
    tag,
    summary: 'Read workflow statistics',
    description:
      'Returns current and recent runs. `by=day` adds the runs of each day of a period. `by=step` adds what happened at each step to the runs that started in the period, in all versions or in one. At most the newest 100,000 runs with 500,000 executed steps are counted.',
    query: StatsQuery,
    answers: {
      200: {
        description: 'The current statistics.',
        schema: WorkflowStats,
        example: {
          waiting: { wait: 9 },
          lastRunAt: '2026-03-01T09:30:00.000Z',
          last7Days: { started: 130, completed: 110, failed: 1, exited: 7 },
        },
      },
    },
    args: ({ params, query }) => [params.id!, query],
  }),
  operation({
    method: 'GET',
    path: '/v1/workflows/:id/runs',
    id: 'listRuns',
    verb: listRuns,
    tag,
    summary: 'List the runs of a workflow',
    description: 'Returns runs, newest first, each with the results of its steps.',
    query: RunQuery,
    answers: {
      200: { description: 'A page of runs.', schema: Page(Run), example: { data: [exampleRun()], nextCursor: null } },
    },
    args: ({ params, query }) => [params.id!, query],
  }),
  operation({
    method: 'GET',
    path: '/v1/runs/:id',
    id: 'readRun',
    verb: readRun,
    tag,
    summary: 'Read a run',
    description: 'Returns the run with the results of its steps.',
    answers: { 200: { description: 'The run.', schema: Run, example: exampleRun() } },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/runs/:id/stop',
    id: 'stopRun',
    verb: stopRun,
    tag,
    summary: 'Stop a run',
    description:
      'Stops the run at its current step. The effects of completed steps stay, and no more steps are executed.',
    answers: {
      200: {
        description: 'The stopped run.',
        schema: Run,
        example: { ...exampleRun(), status: 'stopped', endReason: 'stopped' },
      },
    },
    errors: {
      unprocessable: 'the run has already ended.',
    },
    args: ({ params }) => [params.id!],
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
    name: 'Order thank-you',
    enabled: false,
    triggerType: 'order.created',
    publishedVersion: null,
    draft: definition,
    draftErrors: [],
    archivedAt: null,
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
