/** What everybody in the second act can do: a shop system records, a customer writes, and one waits for what follows. */
import type { Page } from '../api.ts'
import type { Workspace } from '../owner.ts'
import type { Receipt, WebhookReceiver } from '../receiver.ts'
import type { Story } from '../story.ts'
import type { Person } from './cast.ts'

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
  /** What the definition calls the end, where it gives it a name. */
  endDetail?: string
}

/** On the slowest machine; six such waits in a row still leave time to count. */
const toldWithinMs = 8000

export class Scene {
  /** Of everybody who is in this act. */
  readonly customerIds = new Set<string>()
  /** Of the events that the shop recorded in it. */
  readonly eventIds = new Set<string>()
  /** Webhooks that arrived before it. */
  readonly #before: number

  constructor(
    readonly workspace: Workspace,
    readonly receiver: WebhookReceiver,
    readonly story: Story,
    readonly signal: AbortSignal,
  ) {
    this.#before = receiver.receipts.length
  }

  get owner() {
    return this.workspace.owner
  }

  /** The shop tells of something that a customer did. */
  async record(type: string, { name, phone }: Person, data: object): Promise<Recorded> {
    const body = { type, phone, name, data }
    const recorded = await this.workspace.shop.call<Recorded>('POST', '/v1/events', { body })
    this.eventIds.add(recorded.event.id)
    this.customerIds.add(recorded.event.customerId)
    return recorded
  }

  /** A customer writes, as the sandbox has it. */
  async write({ name, phone }: Person, text: string): Promise<Message> {
    const path = `/v1/channels/${this.workspace.channelId}/sandbox/messages`
    const message = await this.owner.call<Message>('POST', path, { body: { from: phone, name, text } })
    this.customerIds.add(message.customerId)
    return message
  }

  /** The newest message to a customer, once it has this status. */
  async newestTo(customerId: string, status: string): Promise<Message> {
    const newest = ({ data }: Page<Message>) => data.find(({ direction }) => direction === 'outbound')
    const path = `/v1/messages?customerId=${customerId}`
    const isSo = (page: Page<Message>) => newest(page)?.status === status
    return newest(await this.owner.until(path, `the newest message is ${status}`, isSo))!
  }

  /** A run, once it has come to its end. */
  ended(runId: string): Promise<Run> {
    return this.owner.until(`/v1/runs/${runId}`, 'the run ends', ({ endReason }: Run) => endReason !== null)
  }

  /** The webhooks of this act, of one type. */
  told(type: string): Receipt[] {
    return this.receiver.receipts.slice(this.#before).filter(receipt => receipt.type === type)
  }

  /** Waits until that many webhooks of a type have arrived, or so long that the counts are to tell of it. */
  async waitForTold(type: string, count: number): Promise<void> {
    const signal = AbortSignal.any([this.signal, AbortSignal.timeout(toldWithinMs)])
    await this.receiver.waitUntil(() => this.told(type).length >= count, signal)
  }
}
