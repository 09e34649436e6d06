/** Conversion of a trace to the spans that `SpanList` shows. */
import type { Schemas } from '../api/client.ts'
import type { TextId } from '../texts/index.tsx'
import type { Span } from '../ui/SpanList.tsx'
import { tones } from '../ui/tones.ts'
import { sortByTime } from './order.ts'
import type { MessageTrace, OutboundTrace, Subject, Trace } from './traces.ts'

type Translate = (id: TextId, values?: Record<string, string | number | null>) => string

export interface SpanContext {
  t: Translate
  duration: (ms: number) => string
  subject: Subject
  isOwner: boolean
}

export const toSpans = (trace: Trace, context: SpanContext): Span[] => [
  ...eventSpans(trace, context),
  ...sortByTime([
    ...(trace.run ? stepGroups(trace.run, context) : []),
    ...trace.messageTraces.map(one => messageSpans(one, trace, context)),
  ]),
  ...trace.outbound.flatMap(outbound => outboundSpans(outbound, context)),
  ...endSpans(trace, context),
]

/** The record that is open has no link. */
const linkTo = (kind: Subject['kind'], id: string, to: string, { subject }: SpanContext): Pick<Span, 'to'> =>
  subject.kind === kind && subject.id === id ? {} : { to }

const eventSpans = ({ event, run }: Trace, context: SpanContext): Span[] => {
  const { t } = context
  const spans: Span[] = []
  if (event) {
    spans.push({
      key: event.id,
      text: event.type,
      at: event.createdAt,
      ...linkTo('event', event.id, `/events/${event.id}`, context),
    })
    if (!run) spans.push(...verdictSpans(event, t))
  }
  if (run) {
    const name = event?.outcomes.find(({ runId, verdict }) => runId === run.id && verdict === 'started')?.name
    spans.push({
      key: run.id,
      text: name ? t('trace.run', { name, version: run.version }) : t('trace.runWithoutName', { version: run.version }),
      tone: tones.run[run.status],
      at: run.createdAt,
      ...linkTo('run', run.id, `/runs/${run.id}`, context),
    })
  }
  return spans
}

const verdictSpans = (event: Schemas['EventWithOutcomes'], t: Translate): Span[] => {
  if (event.outcomes.length === 0)
    return [{ key: 'none', text: t('trace.nothingListens'), tone: 'off', hasNoPage: true }]
  return event.outcomes.flatMap(({ workflowId, name, verdict }) =>
    verdict === 'started'
      ? []
      : [
          {
            key: workflowId,
            text: t(`trace.verdict.${verdict}`, { name }),
            tone: 'off' as const,
            to: `/workflows/${workflowId}`,
          },
        ],
  )
}

/** Returns only the steps that explain a delay, or that did nothing. */
const stepGroups = (run: Schemas['Run'], { t, duration }: SpanContext): Span[][] =>
  run.steps.map((step, index) => {
    const at = step.at
    const key = `${run.id}/${index}`
    if (step.outcome === 'waiting') {
      const next = run.steps[index + 1]
      if (next) {
        const ms = Date.parse(next.at) - Date.parse(at)
        return [{ key, text: t('trace.waited', { time: duration(ms) }), at: next.at, hidesTime: true, hasNoPage: true }]
      }
      if (run.status !== 'waiting') return []
      // The wake-up time sorts the current wait last, and so does no time.
      return run.wakeAt
        ? [{ key, text: t('trace.waits'), tone: 'moving', at: run.wakeAt, hasNoPage: true }]
        : [{ key, text: t('trace.waitsOpen'), tone: 'moving', hasNoPage: true }]
    }
    if (step.outcome === 'reply') return [{ key, text: t('trace.answered'), at, hasNoPage: true }]
    if (step.outcome === 'timeout') return [{ key, text: t('trace.timeout'), at, hasNoPage: true }]
    if (step.outcome === 'skipped') {
      const reason = (step.detail as { reason?: string } | null)?.reason ?? ''
      return [{ key, text: t('trace.skipped', { step: step.stepId, reason }), tone: 'off', at, hasNoPage: true }]
    }
    return []
  })

const messageSpans = ({ message, outbound }: MessageTrace, { run }: Trace, context: SpanContext): Span[] => {
  const { t } = context
  const { id, status, sentBy } = message
  const at = message.statuses.at(-1)?.at ?? message.sentAt ?? message.createdAt
  const spans: Span[] = []
  if (!run && sentBy?.type === 'campaign')
    spans.push({
      key: `${id}/by`,
      text: t('trace.campaign'),
      at: message.createdAt,
      to: `/campaigns/${sentBy.id}`,
    })
  if (!run && sentBy?.type === 'user')
    spans.push({ key: `${id}/by`, text: t('trace.byMember'), at: message.createdAt, hasNoPage: true })
  if (message.direction === 'inbound')
    spans.push({ key: `${id}/by`, text: t('trace.customer'), at: message.sentAt, hasNoPage: true })
  spans.push({
    key: id,
    text: t(`trace.message.${status}`),
    tone: tones.message[status],
    at,
    ...linkTo('message', id, `/messages/${id}`, context),
  })
  return [...spans, ...outbound.flatMap(one => outboundSpans(one, context))]
}

const outboundSpans = ({ event, deliveries, names }: OutboundTrace, context: SpanContext): Span[] => {
  const { t, subject } = context
  const destinations = event.destinations.filter(({ reason }) => reason === null)
  return [
    {
      key: event.id,
      text: event.type,
      at: event.createdAt,
      ...linkTo('outbound_event', event.id, `/outbound/${event.id}`, context),
    },
    ...(destinations.length === 0 && event.fannedOutAt !== null
      ? [{ key: `${event.id}/none`, text: t('trace.noEndpoint'), tone: 'off' as const, hasNoPage: true }]
      : destinations
          .filter(({ webhookId }) => subject.kind !== 'delivery' || webhookId === subject.webhookId)
          .map(destination => ({
            ...deliverySpan(
              destination,
              deliveries[destination.deliveryId ?? ''],
              names[destination.webhookId],
              context,
            ),
            parallelGroup: event.id,
          }))),
  ]
}

const deliverySpan = (
  { webhookId, url, deliveryId, status }: Schemas['Destination'],
  delivery: Schemas['Delivery'] | undefined,
  name: string | undefined,
  context: SpanContext,
): Span => {
  const { t, duration, isOwner: owner } = context
  const endpoint = name ?? new URL(url).host
  const hasResponse = delivery && delivery.statusCode !== null && delivery.durationMs !== null
  return {
    key: deliveryId ?? webhookId,
    text: hasResponse
      ? t('trace.delivery', { endpoint, status: delivery.statusCode, time: duration(delivery.durationMs!) })
      : t(`trace.delivery.${status ?? 'none'}`, { endpoint }),
    tone: status ? tones.delivery[status] : 'off',
    at: delivery?.lastAttemptAt ?? null,
    ...(owner && deliveryId !== null
      ? linkTo('delivery', deliveryId, `/webhooks/${webhookId}/deliveries/${deliveryId}`, context)
      : { to: `/webhooks/${webhookId}` }),
  }
}

const endSpans = ({ run }: Trace, { t }: SpanContext): Span[] => {
  if (!run || run.endedAt === null || run.endReason === null || silentEndReasons.has(run.endReason)) return []
  const key = `${run.id}/end`
  const reason = run.endDetail ?? run.endReason
  if (run.status === 'failed')
    return [{ key, text: t('trace.end.failed', { reason }), tone: 'failed', at: run.endedAt, hasNoPage: true }]
  if (run.status === 'stopped')
    return [{ key, text: t('trace.end.stopped'), tone: 'off', at: run.endedAt, hasNoPage: true }]
  return [{ key, text: t('trace.end.ended', { reason }), tone: 'off', at: run.endedAt, hasNoPage: true }]
}

/** End reasons without text, because the color of the run already shows them. */
const silentEndReasons: ReadonlySet<string> = new Set(['completed'])
