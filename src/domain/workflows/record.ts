/** SQL fragments that record the results of executions in the statement that writes the runs. */
import type { Fragment, Sql } from '../../db/client.ts'
import { type AttributesToSet, mergingAttributes } from '../customers/index.ts'
import { type MessageToQueue, type QueuedFor, type QueuedRows, queuedFor, queueing } from '../messages/index.ts'
import { markingSales, type SaleToMark } from '../sales/index.ts'
import type { Effect } from './effects.ts'
import type { Advance, PlacedEffect } from './interpreter.ts'

/** Run and the result of its execution. */
export interface RecordedVisit {
  run: VisitedRun
  to: Pick<Advance, 'trace' | 'effects'>
}

interface VisitedRun {
  workspaceId: string
  id: string
  workflowId: string
  customerId: string
}

/**
 * Returns CTEs, to follow `with`, that insert the trace and write the effects of each kind.
 *
 * They apply only to runs that the statement wrote, in its CTE `stored` (workspace_id, id). `queuedRows` returns the
 * queued messages.
 */
export const recordingVisits = (sql: Sql, visits: readonly RecordedVisit[]) => sql`
  traced as (
    insert into workflow_run_steps (workspace_id, run_id, position, step_id, outcome, detail)
    select t.workspace_id, t.run_id, t.position, t.step_id, t.outcome, t.detail
    from json_to_recordset(${JSON.stringify(visits.flatMap(traceOf))}::text::json) as t(workspace_id uuid, run_id uuid,
      position integer, step_id text, outcome text, detail jsonb)
    where (t.workspace_id, t.run_id) in (select workspace_id, id from stored)
  ), ${recordingEffects(sql, visits)}`

const traceOf = ({ run, to }: RecordedVisit) =>
  to.trace.map(({ position, stepId, outcome, detail }) => ({
    workspace_id: run.workspaceId,
    run_id: run.id,
    position,
    step_id: stepId,
    outcome,
    detail,
  }))

/** Effect of one kind and its run. */
interface HadBy<Kind extends Effect['kind']> {
  run: VisitedRun
  effect: Extract<PlacedEffect, { kind: Kind }>
}

/** Functions that return the CTEs for each kind of effect. The entity that owns the rows provides them. */
const recorders: { [Kind in Effect['kind']]: (sql: Sql, had: HadBy<Kind>[]) => Fragment | null } = {
  queue_message: (sql, had) =>
    queueing(sql, had.map(messageOf), sql`where (m.workspace_id, m.run_id) in (select workspace_id, id from stored)`),
  mark_sale: (sql, had) =>
    had.length === 0
      ? null
      : markingSales(
          sql,
          had.map(saleOf),
          sql`and (s.workspace_id, s.run_id) in (select workspace_id, id from stored)`,
          sql`union all (select o.id, o.customer_id from opened o
            where s.conversation_id is null and o.workspace_id = s.workspace_id and o.customer_id = s.customer_id)`,
          sql`union all (select q.id, q.run_step from queued q
            where q.workspace_id = sold.workspace_id and q.run_id = sold.run_id and q.run_step < sold.run_step and q.due_at is not null)`,
        ),
  set_attributes: (sql, had) =>
    had.length === 0
      ? null
      : mergingAttributes(
          sql,
          attributesOf(had),
          sql`(s.workspace_id, s.run_id) in (select workspace_id, id from stored)`,
        ),
}

/** Returns whether an execution marks a sale. The statement then emits an outbound event. */
export const tells = (visits: readonly RecordedVisit[]): boolean =>
  visits.some(({ to }) => to.effects.some(({ kind }) => kind === 'mark_sale'))

const saleOf = ({ run, effect }: HadBy<'mark_sale'>): SaleToMark => ({
  workspaceId: run.workspaceId,
  id: null,
  conversationId: null,
  customerId: run.customerId,
  amount: effect.amount,
  currency: effect.currency,
  note: effect.note,
  markedBy: { type: 'workflow', id: run.workflowId },
  writtenBy: { runId: run.id, position: effect.position },
})

/** Returns one entry per run, with the last value of each attribute. Each run has a different customer. */
const attributesOf = (had: HadBy<'set_attributes'>[]): AttributesToSet[] =>
  [...Map.groupBy(had, ({ run }) => run.id).values()].map(all => {
    const { workspaceId, customerId, id: runId } = all[0]!.run
    return { workspaceId, customerId, runId, set: Object.assign({}, ...all.map(({ effect }) => effect.set)) }
  })

const recordingEffects = (sql: Sql, visits: readonly RecordedVisit[]): Fragment => {
  const all = visits.flatMap(({ run, to }) => to.effects.map(effect => ({ run, effect })))
  const partOf = <Kind extends Effect['kind']>(kind: Kind): Fragment | null =>
    recorders[kind](
      sql,
      all.filter((had): had is HadBy<Kind> => had.effect.kind === kind),
    )
  const parts = (Object.keys(recorders) as Effect['kind'][]).map(kind => partOf(kind)).filter(part => part !== null)
  return parts.reduce((before, part) => sql`${before}, ${part}`)
}

/** Returns the channels that got messages, from the result of `queuedRows`. */
export const queuedByVisits = (visits: readonly RecordedVisit[], rows: QueuedRows): QueuedFor[] =>
  queuedFor(
    visits.flatMap(({ run, to }) =>
      to.effects.flatMap(effect => (effect.kind === 'queue_message' ? [messageOf({ run, effect })] : [])),
    ),
    rows,
  )

const messageOf = ({ run, effect }: HadBy<'queue_message'>): MessageToQueue => ({
  workspaceId: run.workspaceId,
  customerId: run.customerId,
  channelId: effect.channelId,
  handle: effect.handle,
  text: effect.text,
  template: effect.template,
  sentBy: { type: 'workflow', id: run.workflowId },
  writtenBy: { runId: run.id, position: effect.position },
  skipped: effect.skipped,
})
