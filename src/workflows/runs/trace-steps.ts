/** Spans of the steps of runs. */
import type { Tracer } from '../../platform/tracing.ts'
import type { TraceEntry } from './interpreter.ts'

/** Starts and ends a span for each executed step. Steps wait for nothing, so the spans have no duration. */
export const traceSteps = (
  tracer: Tracer,
  run: { workspaceId: string; id: string; workflowId: string; traceparent: string | null },
  trace: readonly Pick<TraceEntry, 'stepId' | 'outcome'>[],
): void => {
  for (const { stepId, outcome } of trace) {
    const attributes = {
      workspace_id: run.workspaceId,
      'run.id': run.id,
      'workflow.id': run.workflowId,
      'step.id': stepId,
      'step.outcome': outcome,
    }
    tracer.start('run step', { kind: 'internal', parent: run.traceparent, attributes }).end()
  }
}
