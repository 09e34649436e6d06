/** Actions of the second act: record an event, write as a customer, and wait for results. */
import type { Page } from '../api.ts'
import type { Output } from '../output.ts'
import type { Workspace } from '../owner.ts'
import type { Receipt, WebhookReceiver } from '../receiver.ts'
import type { Person } from './customers.ts'

export interface Recorded {
  event: { id: string; customerId: string }
  outcomes: { verdict: string; runId: string | null }[]
}

export interface Message {
  id: string
  conversationId: string
  customerId: string
  direction: 'inbound' | 'outbound'
  text: string | null
  status: string
  detail: string | null
  sentBy: { type: 'user' | 'workflow' | 'campaign'; id: string } | null
}

export interface Run {
  endReason: string | null
  /** Name of the end reason in the workflow definition, if it has one. */
  endDetail?: string
}

/** Timeout in milliseconds, sufficient for slow machines. Six of these waits in a row still leave time for counting. */
const webhookTimeoutMs = 8000

export class Scenario {
  /** Customers of this act. */
  readonly customerIds = new Set<string>()
  /** Events that the shop recorded in this act. */
  readonly eventIds = new Set<string>()
  /** Number of webhooks that arrived before this act. */
  readonly #earlierReceipts: number

  constructor(
    readonly workspace: Workspace,
    readonly receiver: WebhookReceiver,
    readonly output: Output,
    readonly signal: AbortSignal,
  ) {
    this.#earlierReceipts = receiver.receipts.length
  }

  get owner() {
    return this.workspace.owner
  }

  /** Records an event of a customer, as the shop. */
  async record(type: string, { name, phone }: Person, data: object): Promise<Recorded> {
    const body = { type, phone, name, data }
    const recorded = await this.workspace.shop.call<Recorded>('POST', '/v1/events', { body })
    this.eventIds.add(recorded.event.id)
    this.customerIds.add(recorded.event.customerId)
    return recorded
  }

  /** Sends a message as a customer, through the sandbox. */
  async sendMessage({ name, phone }: Person, text: string): Promise<Message> {
    const path = `/v1/channels/${this.workspace.channelId}/sandbox/messages`
    const message = await this.owner.call<Message>('POST', path, { body: { from: phone, name, text } })
    this.customerIds.add(message.customerId)
    return message
  }

  /** Returns the newest message to a customer, once it has this status. */
  async waitForNewest(customerId: string, status: string): Promise<Message> {
    const newest = ({ data }: Page<Message>) => data.find(({ direction }) => direction === 'outbound')
    const path = `/v1/messages?customerId=${customerId}`
    const isDone = (page: Page<Message>) => newest(page)?.status === status
    return newest(await this.owner.pollUntil(path, `the newest message is ${status}`, isDone))!
  }

  /** Returns a run, once it has ended. */
  waitForEnd(runId: string): Promise<Run> {
    return this.owner.pollUntil(`/v1/runs/${runId}`, 'the run ends', ({ endReason }: Run) => endReason !== null)
  }

  /** Returns the webhooks of this type in this act. */
  webhooks(type: string): Receipt[] {
    return this.receiver.receipts.slice(this.#earlierReceipts).filter(receipt => receipt.type === type)
  }

  /**
   * Waits until that many webhooks of a type have arrived, or until the timeout. After a timeout, the counts show the
   * difference.
   */
  async waitForWebhooks(type: string, count: number): Promise<void> {
    const signal = AbortSignal.any([this.signal, AbortSignal.timeout(webhookTimeoutMs)])
    await this.receiver.waitUntil(() => this.webhooks(type).length >= count, signal)
  }
}
