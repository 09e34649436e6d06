/** Short summaries of outbound events. */
import type { Schemas } from '../../api/client.ts'
import { useNumbers, useTexts } from '../../texts/index.tsx'

type Told = Pick<Schemas['OutboundEvent'], 'type' | 'data'>

/** Reads the fields of the published document. A field that a later release omits must not break the page. */
export const useAbout = (): ((event: Told) => string | null) => {
  const say = useTexts()
  const number = useNumbers()
  return ({ type, data }) => {
    const text = (name: string): string | null =>
      typeof data[name] === 'string' && data[name] !== '' ? (data[name] as string) : null
    const from = text('from') ?? say('outbound.about.somebody')
    switch (type) {
      case 'message.received':
        return text('text') === null
          ? say('outbound.about.receivedOther', { from, type: text('type') })
          : say('outbound.about.received', { from, text: text('text') })
      case 'message.status': {
        const status = say(messageTexts[text('status') ?? ''] ?? 'outbound.message.delivered')
        return text('detail') === null ? status : say('outbound.about.statusDetail', { status, detail: text('detail') })
      }
      case 'sale.created':
        return `${number(Number(data.amount))} ${text('currency') ?? ''}`
      case 'customer.opted_out':
        return say('outbound.about.optedOut', {
          handle: text('handle') ?? say('outbound.about.somebody'),
          reason: text('reason'),
        })
      case 'campaign.completed':
        return say('outbound.about.campaign', {
          name: text('name'),
          sent: number(Number(data.sent)),
          skipped: number(Number(data.skipped)),
        })
      case 'ping':
        return say('outbound.about.ping')
    }
  }
}

const messageTexts: Record<string, 'outbound.message.delivered' | 'outbound.message.read' | 'outbound.message.failed'> =
  {
    delivered: 'outbound.message.delivered',
    read: 'outbound.message.read',
    failed: 'outbound.message.failed',
  }
