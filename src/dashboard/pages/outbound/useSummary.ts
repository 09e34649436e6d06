/** Short summaries of outbound events. */
import type { Schemas } from '../../api/client.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { withoutOverrides } from '../../texts/isolate.ts'

type SummarizedEvent = Pick<Schemas['OutboundEvent'], 'type' | 'data'>

/**
 * Reads the fields of the published document. A field that a later release omits must not break the page. `isNamed` adds
 * the name of the record that the event is about, for a place that does not show it.
 */
export const useSummary = (): ((event: SummarizedEvent, isNamed?: boolean) => string | null) => {
  const t = useTranslate()
  const number = useNumbers()
  return ({ type, data }, isNamed = true) => {
    const text = (name: string): string | null =>
      typeof data[name] === 'string' && data[name] !== '' ? withoutOverrides(data[name] as string) : null
    const named = (name: string | null, detail: string | null): string | null =>
      isNamed ? t('outbound.summary.named', { name, detail }) : detail
    const from = text('from') ?? t('outbound.summary.unknownCustomer')
    switch (type) {
      case 'message.received':
        if (text('text') !== null)
          return isNamed ? named(from, text('text')) : t('outbound.summary.quoted', { text: text('text') })
        return isNamed ? t('outbound.summary.receivedOther', { from, type: text('type') }) : text('type')
      case 'message.status': {
        const status = t(messageTexts[text('status') ?? ''] ?? 'outbound.message.delivered')
        return text('detail') === null ? status : t('outbound.summary.statusDetail', { status, detail: text('detail') })
      }
      case 'sale.created': {
        const currency = text('currency')
        return number(Number(data.amount), currency ? { style: 'currency', currency } : {})
      }
      case 'customer.opted_out':
        return t('outbound.summary.optedOut', {
          handle: text('handle') ?? t('outbound.summary.unknownCustomer'),
          reason: text('reason'),
        })
      case 'campaign.completed':
        return named(
          text('name'),
          t('outbound.summary.campaign', { sent: number(Number(data.sent)), skipped: number(Number(data.skipped)) }),
        )
      case 'endpoint.failing':
      case 'delivery.failed':
        return named(text('name') ?? text('host'), text('error'))
      case 'channel.failing':
        return named(text('name'), text('detail'))
      case 'run.failed':
        return named(
          text('workflowName'),
          t(failureTexts[text('reason') ?? ''] ?? 'outbound.runFailure.internal_error'),
        )
      case 'allowance.reached':
        return t('outbound.summary.allowance', { used: number(Number(data.used)), limit: number(Number(data.limit)) })
      case 'endpoint.recovered':
      case 'channel.recovered':
        return isNamed ? (text('name') ?? text('host')) : null
      case 'endpoint.held':
        return named(
          text('name') ?? text('host'),
          t(text('heldBy') === 'owner' ? 'outbound.summary.heldByOwner' : 'outbound.summary.heldByService'),
        )
      case 'ping':
        return t('outbound.summary.ping')
    }
  }
}

const failureTexts: Record<
  string,
  'outbound.runFailure.too_many_steps' | 'outbound.runFailure.step_missing' | 'outbound.runFailure.internal_error'
> = {
  too_many_steps: 'outbound.runFailure.too_many_steps',
  step_missing: 'outbound.runFailure.step_missing',
  internal_error: 'outbound.runFailure.internal_error',
}

const messageTexts: Record<string, 'outbound.message.delivered' | 'outbound.message.read' | 'outbound.message.failed'> =
  {
    delivered: 'outbound.message.delivered',
    read: 'outbound.message.read',
    failed: 'outbound.message.failed',
  }
