/** Nodes of the run of a trace: its start, its steps and its end. */

import type { Schemas } from '../api/client.ts'
import { recordLink } from '../shell/paths.ts'
import { isText } from '../texts/index.tsx'
import { tones } from '../ui/tones.ts'
import { linkTo, type TraceNode, type TreeContext } from './node.ts'
import { quote } from './quote.ts'
import type { Trace } from './traces.ts'

export const runNode = ({ event }: Trace, run: Schemas['Run'], context: TreeContext): TraceNode => {
  const { t } = context
  const name = event?.outcomes.find(({ runId, verdict }) => runId === run.id && verdict === 'started')?.name
  return {
    key: run.id,
    icon: 'run',
    text: name ? t('trace.run', { name, version: run.version }) : t('trace.runWithoutName', { version: run.version }),
    tone: tones.run[run.status],
    at: run.createdAt,
    ...linkTo('run', run.id, context),
  }
}

/** Maximum number of steps shown. A run has up to 1000, and its page lists all of them. */
const maxSteps = 40

/** Returns the steps of a run, except those that created messages, which have nodes of their own, and the end. */
export const stepNodes = ({ run, replies, moreMessages }: Trace, context: TreeContext): TraceNode[] => {
  if (!run) return []
  const { t } = context
  const shown = run.steps.slice(0, maxSteps).flatMap((step, index) => stepNode(step, index, run, replies, context))
  const count = run.steps.length - maxSteps
  const link = recordLink('run', run.id)
  const more = [
    ...(count > 0 ? [{ key: `${run.id}/steps`, text: t('trace.moreSteps', { count }) }] : []),
    ...(moreMessages > 0
      ? [{ key: `${run.id}/messages`, text: t('trace.moreMessages', { count: moreMessages }) }]
      : []),
  ]
  return [...shown, ...more.map((node): TraceNode => ({ ...node, icon: 'run', tone: 'off', link }))]
}

type Step = Schemas['Run']['steps'][number]

const stepNode = (
  step: Step,
  index: number,
  run: Schemas['Run'],
  replies: Trace['replies'],
  { t, duration, money }: TreeContext,
): TraceNode[] => {
  const { at, stepId } = step
  const key = `${run.id}/${index}`
  const detail = (step.detail ?? {}) as { reason?: string; id?: string; amount?: string; currency?: string }
  switch (step.outcome) {
    case 'waiting': {
      const next = run.steps[index + 1]
      if (next) {
        // The time of a wait is its end, because what it waited for follows.
        const time = duration(Date.parse(next.at) - Date.parse(at))
        return [{ key, icon: 'wait', text: t('trace.waited', { time }), at: next.at }]
      }
      if (run.status !== 'waiting') return []
      // The wake-up time sorts the current wait last, and so does no time.
      return run.wakeAt
        ? [{ key, icon: 'wait', text: t('trace.waits'), tone: 'moving', at: run.wakeAt, isFuture: true }]
        : [{ key, icon: 'wait', text: t('trace.waitsOpen'), tone: 'moving' }]
    }
    case 'reply': {
      const reply = detail.id ? replies[detail.id] : undefined
      const text = reply?.text ? t('trace.answeredWith', { text: quote(reply.text) }) : t('trace.answered')
      return [{ key, icon: 'reply', text, at, ...(reply && { link: recordLink('message', reply.id) }) }]
    }
    case 'event':
      return [
        {
          key,
          icon: 'event',
          text: t('workflows.outcome.event'),
          at,
          ...(detail.id && { link: recordLink('event', detail.id) }),
        },
      ]
    case 'timeout':
      return [{ key, icon: 'wait', text: t('trace.timeout'), at }]
    case 'then':
    case 'else':
      return [
        {
          key,
          icon: 'branch',
          text: t('trace.branch', { step: stepId, result: t(`workflows.outcome.${step.outcome}`) }),
          at,
        },
      ]
    case 'marked': {
      const link = { to: '/sales', search: { customerId: run.customerId } } as const
      const { amount, currency } = detail
      const isKnown = amount !== undefined && currency !== undefined
      // Older steps do not contain the amount.
      const text = isKnown ? t('trace.sale', { amount: money(amount, currency) }) : t('workflows.outcome.marked')
      return [{ key, icon: 'sale', text, tone: 'done', at, link }]
    }
    case 'set':
      return [{ key, icon: 'change', text: t('workflows.outcome.set'), at }]
    case 'skipped': {
      const code = detail.reason ?? ''
      const reasonId = `workflows.reason.${code}`
      const reason = isText(reasonId) ? t(reasonId) : code
      return [{ key, icon: 'skipped', text: t('trace.skipped', { step: stepId, reason }), tone: 'off', at }]
    }
    default:
      return []
  }
}

export const endNodes = ({ run }: Trace, { t }: TreeContext): TraceNode[] => {
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
