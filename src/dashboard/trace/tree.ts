/** Conversion of traces to a tree of lanes: the steps of a run share a lane, and effects of a message branch off. */
import type { Schemas } from '../api/client.ts'
import { type BlockReason, getBlockReason } from '../pages/webhooks/delivery-status.tsx'
import { isText, type TextId } from '../texts/index.tsx'
import type { Tone } from '../ui/Status.tsx'
import { tones } from '../ui/tones.ts'
import { inTimeOrder, sortByTime } from './order.ts'
import type { MessageTrace, OutboundTrace, Subject, Trace } from './traces.ts'

export type NodeIcon =
  | 'event'
  | 'run'
  | 'wait'
  | 'reply'
  | 'skipped'
  | 'message'
  | 'campaign'
  | 'person'
  | 'outbound'
  | 'delivered'
  | 'failed'
  | 'pending'
  | 'end'

export interface TraceNode {
  key: string
  icon: NodeIcon
  text: string
  at?: string | null
  /** Defaults to `accent`, which is no status. */
  tone?: Tone | 'accent'
  /** `at` is in the future, for example the end of a wait. */
  isFuture?: boolean
  /** Next attempt of a delivery, in the words of its page instead of `text`. */
  next?: { at: string; blockReason: BlockReason }
  /** `at` is used for sorting but is not shown. */
  hidesTime?: boolean
  /** Page of the record. */
  to?: string
  /** True for the record that is open. */
  isCurrent?: boolean
  /** Lanes that start at this node. Their nodes do not follow each other across lanes. */
  branches?: Lane[]
}

/** Nodes that follow each other in time. */
export type Lane = TraceNode[]

type Translate = (id: TextId, values?: Record<string, string | number | null>) => string

interface TreeContext {
  t: Translate
  duration: (ms: number) => string
  subject: Subject
  isOwner: boolean
}

/** Returns the lane of the root. Traces of the same event branch off at the event. */
export const toLane = (traces: readonly Trace[], context: TreeContext): Lane => {
  const lanes = traces.map(trace => causedLane(trace, context))
  const event = traces[0]?.event
  if (!event) return lanes.flat()
  const node: TraceNode = {
    key: event.id,
    icon: 'event',
    text: event.type,
    at: event.createdAt,
    ...linkTo('event', event.id, `/events/${event.id}`, context),
  }
  const branches = inTimeOrder([...lanes, ...otherVerdicts(event, traces, context)])
  return branches.length === 1 ? [node, ...branches[0]!] : [{ ...node, branches }]
}

/** Returns what follows the event: the run with its steps and messages, or outbound events alone. */
const causedLane = (trace: Trace, context: TreeContext): Lane => [
  ...(trace.run ? [runNode(trace, trace.run, context)] : []),
  ...sortByTime([
    ...(trace.run ? stepNodes(trace.run, context).map(node => [node]) : []),
    ...trace.messageTraces.map(one => messageLane(one, trace, context)),
  ]),
  ...trace.outbound.flatMap(outbound => outboundLane(outbound, context)),
  ...endNodes(trace, context),
]

/** The record that is open has no link. */
const linkTo = (
  kind: Subject['kind'],
  id: string,
  to: string,
  { subject }: TreeContext,
): Pick<TraceNode, 'to' | 'isCurrent'> => (subject.kind === kind && subject.id === id ? { isCurrent: true } : { to })

const runNode = ({ event }: Trace, run: Schemas['Run'], context: TreeContext): TraceNode => {
  const { t } = context
  const name = event?.outcomes.find(({ runId, verdict }) => runId === run.id && verdict === 'started')?.name
  return {
    key: run.id,
    icon: 'run',
    text: name ? t('trace.run', { name, version: run.version }) : t('trace.runWithoutName', { version: run.version }),
    tone: tones.run[run.status],
    at: run.createdAt,
    ...linkTo('run', run.id, `/runs/${run.id}`, context),
  }
}

/** Returns the workflows that did not start, each as a lane. Only the trace of the event itself shows them. */
const otherVerdicts = (
  event: Schemas['EventWithOutcomes'],
  traces: readonly Trace[],
  { t, subject }: TreeContext,
): Lane[] => {
  if (event.outcomes.length === 0)
    return traces.some(({ run }) => run)
      ? []
      : [[{ key: 'none', icon: 'skipped', text: t('trace.nothingListens'), tone: 'off' }]]
  if (subject.kind !== 'event') return []
  return event.outcomes.flatMap(({ workflowId, name, verdict }): Lane[] =>
    verdict === 'started'
      ? []
      : [
          [
            {
              key: workflowId,
              icon: 'skipped',
              text: t(`trace.verdict.${verdict}`, { name }),
              tone: 'off',
              to: `/workflows/${workflowId}`,
            },
          ],
        ],
  )
}

/** Returns only the steps that explain a delay, or that did nothing. */
const stepNodes = (run: Schemas['Run'], { t, duration }: TreeContext): TraceNode[] =>
  run.steps.flatMap((step, index): TraceNode[] => {
    const { at } = step
    const key = `${run.id}/${index}`
    if (step.outcome === 'waiting') {
      const next = run.steps[index + 1]
      if (next) {
        const time = duration(Date.parse(next.at) - Date.parse(at))
        return [{ key, icon: 'wait', text: t('trace.waited', { time }), at: next.at, hidesTime: true }]
      }
      if (run.status !== 'waiting') return []
      // The wake-up time sorts the current wait last, and so does no time.
      return run.wakeAt
        ? [{ key, icon: 'wait', text: t('trace.waits'), tone: 'moving', at: run.wakeAt, isFuture: true }]
        : [{ key, icon: 'wait', text: t('trace.waitsOpen'), tone: 'moving' }]
    }
    if (step.outcome === 'reply') return [{ key, icon: 'reply', text: t('trace.answered'), at }]
    if (step.outcome === 'timeout') return [{ key, icon: 'wait', text: t('trace.timeout'), at }]
    if (step.outcome === 'skipped') {
      const code = (step.detail as { reason?: string } | null)?.reason ?? ''
      const reasonId = `workflows.reason.${code}`
      const reason = isText(reasonId) ? t(reasonId) : code
      const text = t('trace.skipped', { step: step.stepId, reason })
      return [{ key, icon: 'skipped', text, tone: 'off', at }]
    }
    return []
  })

const messageLane = ({ message, outbound }: MessageTrace, { run }: Trace, context: TreeContext): Lane => {
  const { t } = context
  const { id, status, sentBy } = message
  const at = message.statuses.at(-1)?.at ?? message.sentAt ?? message.createdAt
  const author: TraceNode | null =
    message.direction === 'inbound'
      ? { key: `${id}/by`, icon: 'person', text: t('trace.customer'), at: message.sentAt }
      : run || sentBy?.type === 'workflow' || !sentBy
        ? null
        : sentBy.type === 'campaign'
          ? {
              key: `${id}/by`,
              icon: 'campaign',
              text: t('trace.campaign'),
              at: message.createdAt,
              to: `/campaigns/${sentBy.id}`,
            }
          : { key: `${id}/by`, icon: 'person', text: t('trace.byMember'), at: message.createdAt }
  const node: TraceNode = {
    key: id,
    icon: 'message',
    text: t(`trace.message.${status}`),
    tone: tones.message[status],
    at,
    ...linkTo('message', id, `/messages/${id}`, context),
    branches: inTimeOrder(outbound.map(one => outboundLane(one, context))),
  }
  return author ? [author, node] : [node]
}

const outboundLane = ({ event, deliveries, endpoints }: OutboundTrace, context: TreeContext): Lane => {
  const { t, subject } = context
  const node: TraceNode = {
    key: event.id,
    icon: 'outbound',
    text: event.type,
    at: event.createdAt,
    ...linkTo('outbound_event', event.id, `/outbound/${event.id}`, context),
  }
  const destinations = event.destinations.filter(
    ({ reason, webhookId }) => reason === null && (subject.kind !== 'delivery' || webhookId === subject.webhookId),
  )
  if (destinations.length === 0)
    return event.fannedOutAt === null
      ? [node]
      : [node, { key: `${event.id}/none`, icon: 'skipped', text: t('trace.noEndpoint'), tone: 'off' }]
  const lanes = inTimeOrder(
    destinations.map(destination =>
      deliveryLane(destination, deliveries[destination.deliveryId ?? ''], endpoints[destination.webhookId], context),
    ),
  )
  return lanes.length === 1 ? [node, ...lanes[0]!] : [{ ...node, branches: lanes }]
}

const deliveryIcons: Partial<Record<string, NodeIcon>> = {
  delivered: 'delivered',
  failed: 'failed',
  dropped: 'skipped',
}

const deliveryLane = (
  { webhookId, url, deliveryId, status }: Schemas['Destination'],
  delivery: Schemas['Delivery'] | undefined,
  webhook: Schemas['Webhook'] | undefined,
  context: TreeContext,
): Lane => {
  const { t, isOwner } = context
  const endpoint = webhook?.name || new URL(url).host
  const key = deliveryId ?? webhookId
  const node: TraceNode = {
    key,
    icon: deliveryIcons[status ?? 'dropped'] ?? 'pending',
    text: t('trace.delivery', {
      endpoint,
      result: resultOf(delivery, context) ?? t(`trace.delivery.${status ?? 'none'}`),
      attempts: delivery?.attempts ?? 0,
    }),
    tone: status ? tones.delivery[status] : 'off',
    at: delivery?.lastAttemptAt ?? null,
    ...(isOwner && deliveryId !== null
      ? linkTo('delivery', deliveryId, `/webhooks/${webhookId}/deliveries/${deliveryId}`, context)
      : { to: `/webhooks/${webhookId}` }),
  }
  if (status !== 'retrying' || !delivery?.nextAttemptAt) return [node]
  const blockReason = getBlockReason(webhook)
  const next = { at: delivery.nextAttemptAt, blockReason }
  const tone = blockReason ? 'off' : 'care'
  return [node, { key: `${key}/next`, icon: 'wait', text: t('webhooks.next'), tone, next }]
}

/** Returns the response to the last attempt, with its duration if it is the only one. */
const resultOf = (delivery: Schemas['Delivery'] | undefined, { t, duration }: TreeContext): string | null => {
  if (!delivery || delivery.statusCode === null || delivery.durationMs === null) return null
  const status = String(delivery.statusCode)
  return delivery.attempts > 1 ? status : t('trace.response', { status, time: duration(delivery.durationMs) })
}

const endNodes = ({ run }: Trace, { t }: TreeContext): TraceNode[] => {
  if (!run || run.endedAt === null || run.endReason === null || silentEndReasons.has(run.endReason)) return []
  const node = { key: `${run.id}/end`, icon: 'end', at: run.endedAt } as const
  if (run.status === 'stopped') return [{ ...node, text: t('trace.end.stopped'), tone: 'off' }]
  const id = `workflows.end.${run.endReason}`
  const reason = isText(id) ? t(id) : run.endReason
  if (run.status === 'failed')
    return [{ ...node, text: t('trace.end.failed', { reason: run.endDetail ?? reason }), tone: 'failed' }]
  const text = run.endDetail ? t('workflows.end.with', { reason, detail: run.endDetail }) : reason
  return [{ ...node, text, tone: 'off' }]
}

/** End reasons without text, because the color of the run already shows them. */
const silentEndReasons: ReadonlySet<string> = new Set(['completed'])
