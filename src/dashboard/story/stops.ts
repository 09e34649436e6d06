/** Conversion of a trace to the spans that `Story` shows. */
import type { Schemas } from '../api/client.ts'
import type { TextId } from '../texts/index.tsx'
import type { Tone } from '../ui/Status.tsx'
import type { Stop } from '../ui/Story.tsx'
import type { Subject, Told, Way, Written } from './ways.ts'

type Say = (id: TextId, values?: Record<string, string | number | null>) => string

export interface Telling {
  say: Say
  duration: (ms: number) => string
  subject: Subject
  owner: boolean
}

export const stopsOf = (way: Way, telling: Telling): Stop[] => [
  ...eventStops(way, telling),
  ...inOrder([
    ...(way.run ? stepGroups(way.run, telling) : []),
    ...way.written.map(one => messageStops(one, way, telling)),
  ]),
  ...way.told.flatMap(told => toldStops(told, telling)),
  ...endStops(way, telling),
]

/** The record that is open has no link. */
const leading = (kind: Subject['kind'], id: string, to: string, { subject }: Telling): Pick<Stop, 'to'> =>
  subject.kind === kind && subject.id === id ? {} : { to }

const eventStops = ({ event, run }: Way, telling: Telling): Stop[] => {
  const { say } = telling
  const stops: Stop[] = []
  if (event) {
    stops.push({
      key: event.id,
      text: event.type,
      at: event.createdAt,
      ...leading('event', event.id, `/events/${event.id}`, telling),
    })
    if (!run) stops.push(...verdictStops(event, say))
  }
  if (run) {
    const name = event?.outcomes.find(({ runId, verdict }) => runId === run.id && verdict === 'started')?.name
    stops.push({
      key: run.id,
      text: name ? say('story.run', { name, version: run.version }) : say('story.someRun', { version: run.version }),
      tone: runTones[run.status],
      at: run.createdAt,
      ...leading('run', run.id, `/runs/${run.id}`, telling),
    })
  }
  return stops
}

const verdictStops = (event: Schemas['EventWithOutcomes'], say: Say): Stop[] => {
  if (event.outcomes.length === 0) return [{ key: 'none', text: say('story.nothingListens'), tone: 'off', still: true }]
  return event.outcomes.flatMap(({ workflowId, name, verdict }) =>
    verdict === 'started'
      ? []
      : [
          {
            key: workflowId,
            text: say(`story.verdict.${verdict}`, { name }),
            tone: 'off' as const,
            to: `/workflows/${workflowId}`,
          },
        ],
  )
}

const runTones: Record<Schemas['Run']['status'], Tone> = {
  active: 'moving',
  waiting: 'moving',
  done: 'done',
  failed: 'failed',
  stopped: 'off',
}

/** Sorts the groups by their first span. The spans of a group stay together. */
const inOrder = (groups: Stop[][]): Stop[] =>
  groups
    .filter(group => group.length > 0)
    .sort(([a], [b]) => (a!.at ?? '').localeCompare(b!.at ?? ''))
    .flat()

/** Returns only the steps that explain a delay, or that did nothing. */
const stepGroups = (run: Schemas['Run'], { say, duration }: Telling): Stop[][] =>
  run.steps.map((step, index) => {
    const at = step.at
    const key = `${run.id}/${index}`
    if (step.outcome === 'waiting') {
      const next = run.steps[index + 1]
      if (next) {
        const ms = Date.parse(next.at) - Date.parse(at)
        return [{ key, text: say('story.waited', { time: duration(ms) }), at: next.at, untold: true, still: true }]
      }
      if (run.status !== 'waiting') return []
      // The wake-up time sorts the current wait last.
      return run.wakeAt
        ? [{ key, text: say('story.waits'), tone: 'moving', at: run.wakeAt, still: true }]
        : [{ key, text: say('story.waitsOpen'), tone: 'moving', still: true }]
    }
    if (step.outcome === 'reply') return [{ key, text: say('story.answered'), at, still: true }]
    if (step.outcome === 'timeout') return [{ key, text: say('story.timeout'), at, still: true }]
    if (step.outcome === 'skipped') {
      const reason = (step.detail as { reason?: string } | null)?.reason ?? ''
      return [{ key, text: say('story.skipped', { step: step.stepId, reason }), tone: 'off', at, still: true }]
    }
    return []
  })

const messageTones: Record<Schemas['Message']['status'], Tone> = {
  queued: 'moving',
  sent: 'moving',
  delivered: 'done',
  read: 'done',
  failed: 'failed',
  skipped: 'off',
  unknown: 'care',
  received: 'done',
}

const messageStops = ({ message, told }: Written, { run }: Way, telling: Telling): Stop[] => {
  const { say } = telling
  const { id, status, sentBy } = message
  const at = message.statuses.at(-1)?.at ?? message.sentAt ?? message.createdAt
  const stops: Stop[] = []
  if (!run && sentBy?.type === 'campaign')
    stops.push({
      key: `${id}/by`,
      text: say('story.campaign'),
      at: message.createdAt,
      to: `/campaigns/${sentBy.id}`,
    })
  if (!run && sentBy?.type === 'user')
    stops.push({ key: `${id}/by`, text: say('story.person'), at: message.createdAt, still: true })
  if (message.direction === 'inbound')
    stops.push({ key: `${id}/by`, text: say('story.customer'), at: message.sentAt, still: true })
  stops.push({
    key: id,
    text: say(`story.message.${status}`),
    tone: messageTones[status],
    at,
    ...leading('message', id, `/messages/${id}`, telling),
  })
  return [...stops, ...told.flatMap(one => toldStops(one, telling))]
}

const toldStops = ({ event, deliveries, names }: Told, telling: Telling): Stop[] => {
  const { say, subject } = telling
  const went = event.destinations.filter(({ reason }) => reason === null)
  return [
    {
      key: event.id,
      text: event.type,
      at: event.createdAt,
      ...leading('outbound_event', event.id, `/outbound/${event.id}`, telling),
    },
    ...(went.length === 0 && event.fannedOutAt !== null
      ? [{ key: `${event.id}/none`, text: say('story.noEndpoint'), tone: 'off' as const, still: true }]
      : went
          .filter(({ webhookId }) => subject.kind !== 'delivery' || webhookId === subject.webhookId)
          .map(destination => ({
            ...deliveryStop(
              destination,
              deliveries[destination.deliveryId ?? ''],
              names[destination.webhookId],
              telling,
            ),
            beside: event.id,
          }))),
  ]
}

const deliveryTones: Record<NonNullable<Schemas['Destination']['status']>, Tone> = {
  pending: 'moving',
  retrying: 'care',
  delivered: 'done',
  failed: 'failed',
  dropped: 'off',
}

const deliveryStop = (
  { webhookId, url, deliveryId, status }: Schemas['Destination'],
  delivery: Schemas['Delivery'] | undefined,
  name: string | undefined,
  telling: Telling,
): Stop => {
  const { say, duration, owner } = telling
  const endpoint = name ?? new URL(url).host
  const answered = delivery && delivery.statusCode !== null && delivery.durationMs !== null
  return {
    key: deliveryId ?? webhookId,
    text: answered
      ? say('story.delivery', { endpoint, status: delivery.statusCode, time: duration(delivery.durationMs!) })
      : say(`story.delivery.${status ?? 'none'}`, { endpoint }),
    tone: status ? deliveryTones[status] : 'off',
    at: delivery?.lastAttemptAt ?? null,
    ...(owner && deliveryId !== null
      ? leading('delivery', deliveryId, `/webhooks/${webhookId}/deliveries/${deliveryId}`, telling)
      : { to: `/webhooks/${webhookId}` }),
  }
}

const endStops = ({ run }: Way, { say }: Telling): Stop[] => {
  if (!run || run.endedAt === null || run.endReason === null || quietEnds.has(run.endReason)) return []
  const key = `${run.id}/end`
  const reason = run.endDetail ?? run.endReason
  if (run.status === 'failed')
    return [{ key, text: say('story.end.failed', { reason }), tone: 'failed', at: run.endedAt, still: true }]
  if (run.status === 'stopped')
    return [{ key, text: say('story.end.stopped'), tone: 'off', at: run.endedAt, still: true }]
  return [{ key, text: say('story.end.ended', { reason }), tone: 'off', at: run.endedAt, still: true }]
}

/** End reasons without text, because the color of the run already shows them. */
const quietEnds: ReadonlySet<string> = new Set(['completed'])
