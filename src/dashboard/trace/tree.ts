/** Conversion of traces to a tree of lanes: the steps of a run share a lane, and effects of a message branch off. */

import type { Schemas } from '../api/client.ts'
import { verdictOf } from '../api/verdicts.ts'
import { getBlockReason } from '../pages/webhooks/delivery-status.tsx'
import { recordLink } from '../shell/paths.ts'
import { tones } from '../ui/tones.ts'
import { type Lane, linkTo, type NodeIcon, type TraceNode, type TreeContext } from './node.ts'
import { inTimeOrder, sortByTime } from './order.ts'
import { quote } from './quote.ts'
import { endNodes, runNode, stepNodes } from './run-nodes.ts'
import type { MessageTrace, OutboundTrace, Trace } from './traces.ts'

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
    ...linkTo('event', event.id, context),
  }
  const branches = inTimeOrder([...lanes, ...otherVerdicts(event, traces, context)])
  return branches.length === 1 ? [node, ...branches[0]!] : [{ ...node, branches }]
}

/** Returns what follows the event: the run with its steps and messages, or outbound events alone. */
const causedLane = (trace: Trace, context: TreeContext): Lane => [
  ...(trace.run ? [runNode(trace, trace.run, context)] : []),
  ...sortByTime([
    ...stepNodes(trace, context).map(node => [node]),
    ...trace.messageTraces.map(one => messageLane(one, trace, context)),
  ]),
  ...trace.outbound.flatMap(outbound => outboundLane(outbound, context)),
  ...endNodes(trace, context),
]

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
  return event.outcomes.flatMap((outcome): Lane[] => {
    const { workflowId, name } = outcome
    const verdict = verdictOf(outcome, event.data)
    return verdict === 'started'
      ? []
      : [
          [
            {
              key: workflowId,
              icon: 'skipped',
              text: t(`trace.verdict.${verdict}`, { name }),
              tone: 'off',
              link: recordLink('workflow', workflowId),
            },
          ],
        ]
  })
}

const messageLane = (
  { message, template, member, outbound }: MessageTrace,
  { run }: Trace,
  context: TreeContext,
): Lane => {
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
              link: recordLink('campaign', sentBy.id),
            }
          : {
              key: `${id}/by`,
              icon: 'person',
              text: member === null ? t('trace.byUnknownMember') : t('trace.byMember', { name: member }),
              at: message.createdAt,
            }
  const node: TraceNode = {
    key: id,
    icon: 'message',
    text: t(`trace.message.${status}`, { message: nameOf(message, template, context) }),
    tone: tones.message[status],
    at,
    ...linkTo('message', id, context),
    branches: inTimeOrder(outbound.map(one => outboundLane(one, context))),
  }
  return author ? [author, node] : [node]
}

/** Returns the template of a message, or the start of its text. */
const nameOf = ({ text }: Schemas['MessageDetail'], template: string | null, { t }: TreeContext): string => {
  const name = template ?? text
  return name ? t('trace.quoted', { text: quote(name) }) : t('trace.message')
}

const outboundLane = ({ event, deliveries, endpoints }: OutboundTrace, context: TreeContext): Lane => {
  const { t, subject } = context
  const node: TraceNode = {
    key: event.id,
    icon: 'outbound',
    text: event.type,
    at: event.createdAt,
    ...linkTo('outbound_event', event.id, context),
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
      ? linkTo('delivery', deliveryId, context, {
          to: '/webhooks/$id/deliveries/$deliveryId',
          params: { id: webhookId, deliveryId },
        })
      : { link: recordLink('webhook', webhookId) }),
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
