/** Short summaries of outbound events. */
import type { Schemas } from '../../api/client.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { withoutOverrides } from '../../texts/isolate.ts'

type SummarizedEvent = Pick<Schemas['OutboundEvent'], 'type' | 'data'>

/** Reads the fields of the published document. A field that a later release omits must not break the page. */
export const useSummary = (): ((event: SummarizedEvent) => string | null) => {
  const t = useTranslate()
  const number = useNumbers()
  return ({ type, data }) => {
    const text = (name: string): string | null =>
      typeof data[name] === 'string' && data[name] !== '' ? withoutOverrides(data[name] as string) : null
    const from = text('from') ?? t('outbound.summary.unknownCustomer')
    switch (type) {
      case 'message.received':
        return text('text') === null
          ? t('outbound.summary.receivedOther', { from, type: text('type') })
          : t('outbound.summary.received', { from, text: text('text') })
      case 'message.status': {
        const status = t(messageTexts[text('status') ?? ''] ?? 'outbound.message.delivered')
        return text('detail') === null ? status : t('outbound.summary.statusDetail', { status, detail: text('detail') })
      }
      case 'sale.created':
        return `${number(Number(data.amount))} ${text('currency') ?? ''}`
      case 'customer.opted_out':
        return t('outbound.summary.optedOut', {
          handle: text('handle') ?? t('outbound.summary.unknownCustomer'),
          reason: text('reason'),
        })
      case 'campaign.completed':
        return t('outbound.summary.campaign', {
          name: text('name'),
          sent: number(Number(data.sent)),
          skipped: number(Number(data.skipped)),
        })
      case 'endpoint.failing':
      case 'delivery.failed':
        return t('outbound.summary.named', { name: text('name') ?? text('host'), detail: text('error') })
      case 'channel.failing':
        return t('outbound.summary.named', { name: text('name'), detail: text('detail') })
      case 'run.failed':
        return t('outbound.summary.named', {
          name: text('workflowName'),
          detail: t(failureTexts[text('reason') ?? ''] ?? 'outbound.runFailure.internal_error'),
        })
      case 'allowance.reached':
        return t('outbound.summary.allowance', { used: number(Number(data.used)), limit: number(Number(data.limit)) })
      case 'endpoint.recovered':
      case 'channel.recovered':
        return text('name') ?? text('host')
      case 'endpoint.held':
        return t('outbound.summary.named', {
          name: text('name') ?? text('host'),
          detail: t(text('heldBy') === 'owner' ? 'outbound.summary.heldByOwner' : 'outbound.summary.heldByService'),
        })
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
