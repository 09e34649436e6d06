/** SQL fragments that record the results of executions in the statement that writes the runs. */

import { type AttributesToSet, updateMergedAttributes } from '../../customers/index.ts'
import { markSales, type SaleToMark } from '../../customers/sales/index.ts'
import {
  enqueueMessages,
  type NewMessage,
  type QueuedChannel,
  type QueuedRows,
  queuedChannels,
} from '../../messaging/messages/index.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { type Effect, skipReasons } from './effects.ts'
import type { Advance, PositionedEffect } from './interpreter.ts'

/** Run and the result of its execution. */
export interface ExecutionRecord {
  run: RunIdentity
  result: Pick<Advance, 'trace' | 'effects'>
}

interface RunIdentity {
  workspaceId: string
  id: string
  workflowId: string
  customerId: string
  /** `traceparent` of the event. Null without a trace. */
  traceparent: string | null
}

/**
 * Returns CTEs, to follow `with`, that insert the trace and write the effects of each kind.
 *
 * They apply only to runs that the statement wrote, in its CTE `stored` (workspace_id, id). `queuedRows` returns the
 * queued messages.
 */
export const recordExecutions = (sql: Sql, executions: readonly ExecutionRecord[]) => sql`
  traced as (
    insert into workflow_run_steps (workspace_id, run_id, position, step_id, outcome, detail)
    select t.workspace_id, t.run_id, t.position, t.step_id, t.outcome, t.detail
    from json_to_recordset(${JSON.stringify(executions.flatMap(traceRowsOf))}::text::json) as t(workspace_id uuid, run_id uuid,
      position integer, step_id text, outcome text, detail jsonb)
    where (t.workspace_id, t.run_id) in (select workspace_id, id from stored)
  ), ${recordEffects(sql, executions)}`

const traceRowsOf = ({ run, result }: ExecutionRecord) =>
  result.trace.map(({ position, stepId, outcome, detail }) => ({
    workspace_id: run.workspaceId,
    run_id: run.id,
    position,
    step_id: stepId,
    outcome,
    detail,
  }))

/** Effect of one kind and its run. */
interface RunEffect<Kind extends Effect['kind']> {
  run: RunIdentity
  effect: Extract<PositionedEffect, { kind: Kind }>
}

/** Functions that return the CTEs for each kind of effect. The entity that owns the rows provides them. */
const recorders: { [Kind in Effect['kind']]: (sql: Sql, input: RunEffect<Kind>[]) => Fragment | null } = {
  queue_message: (sql, input) =>
    enqueueMessages(
      sql,
      input.map(messageOf),
      sql`where (m.workspace_id, m.run_id) in (select workspace_id, id from stored)`,
    ),
  mark_sale: (sql, input) =>
    input.length === 0
      ? null
      : markSales(
          sql,
          input.map(saleOf),
          sql`and (s.workspace_id, s.run_id) in (select workspace_id, id from stored)`,
          sql`union all (select o.id, o.customer_id from opened_conversations o
            where s.conversation_id is null and o.workspace_id = s.workspace_id and o.customer_id = s.customer_id)`,
          sql`union all (select q.id, q.run_step from queued q
            where q.workspace_id = inserted_sales.workspace_id and q.run_id = inserted_sales.run_id and q.run_step < inserted_sales.run_step and q.due_at is not null)`,
        ),
  set_attributes: (sql, input) =>
    input.length === 0
      ? null
      : updateMergedAttributes(
          sql,
          attributesOf(input),
          sql`(s.workspace_id, s.run_id) in (select workspace_id, id from stored)`,
        ),
}

/** Returns whether an execution marks a sale. The statement then emits an outbound event. */
export const emitsEvents = (executions: readonly ExecutionRecord[]): boolean =>
  executions.some(({ result }) => result.effects.some(({ kind }) => kind === 'mark_sale'))

const saleOf = ({ run, effect }: RunEffect<'mark_sale'>): SaleToMark => ({
  workspaceId: run.workspaceId,
  id: null,
  conversationId: null,
  customerId: run.customerId,
  amount: effect.amount,
  currency: effect.currency,
  note: effect.note,
  markedBy: { type: 'workflow', id: run.workflowId },
  writtenBy: { runId: run.id, position: effect.position },
  traceparent: run.traceparent,
})

/** Returns one entry per run, with the last value of each attribute. Each run has a different customer. */
const attributesOf = (input: RunEffect<'set_attributes'>[]): AttributesToSet[] =>
  [...Map.groupBy(input, ({ run }) => run.id).values()].map(all => {
    const { workspaceId, customerId, id: runId } = all[0]!.run
    return { workspaceId, customerId, runId, set: Object.assign({}, ...all.map(({ effect }) => effect.set)) }
  })

const recordEffects = (sql: Sql, executions: readonly ExecutionRecord[]): Fragment => {
  const all = executions.flatMap(({ run, result }) => result.effects.map(effect => ({ run, effect })))
  const cteOf = <Kind extends Effect['kind']>(kind: Kind): Fragment | null =>
    recorders[kind](
      sql,
      all.filter((input): input is RunEffect<Kind> => input.effect.kind === kind),
    )
  const ctes = (Object.keys(recorders) as Effect['kind'][]).map(kind => cteOf(kind)).filter(cte => cte !== null)
  return ctes.reduce((before, cte) => sql`${before}, ${cte}`)
}

/** Returns the channels that got messages, from the result of `queuedRows`. */
export const queuedByExecutions = (executions: readonly ExecutionRecord[], rows: QueuedRows): QueuedChannel[] =>
  queuedChannels(
    executions.flatMap(({ run, result }) =>
      result.effects.flatMap(effect => (effect.kind === 'queue_message' ? [messageOf({ run, effect })] : [])),
    ),
    rows,
  )

const messageOf = ({ run, effect }: RunEffect<'queue_message'>): NewMessage => ({
  workspaceId: run.workspaceId,
  customerId: run.customerId,
  channelId: effect.channelId,
  handle: effect.handle,
  text: effect.text,
  template: effect.template,
  sentBy: { type: 'workflow', id: run.workflowId },
  writtenBy: { runId: run.id, position: effect.position },
  skipped: effect.skipped && `${effect.skipped}: ${skipReasons[effect.skipped]}`,
  traceparent: run.traceparent,
})
