/** What the decisions about events read and change, in memory: one after the other, without a database. */
import { type Decision, decide, type Snapshot } from '../../../src/domain/events/decide.ts'
import type { EventWrite, IncomingEvent, KnownCustomer, SeenEvent } from '../../../src/domain/events/sql.ts'
import type { ListeningWorkflow } from '../../../src/domain/workflows/index.ts'

/** The customers and the events that were recorded, as the decisions of a round leave them. */
export class Books {
  readonly customers: KnownCustomer[]
  readonly listeners: ListeningWorkflow[]
  readonly written: EventWrite[] = []

  constructor(opened: { customers?: readonly KnownCustomer[]; listeners?: ListeningWorkflow[] }) {
    this.customers = (opened.customers ?? []).map(customer => ({ ...customer }))
    this.listeners = opened.listeners ?? []
  }

  /** More than is asked for: nobody may be taken for somebody else because both were read. */
  snapshot(): Snapshot {
    return {
      replays: this.written.filter(({ event }) => event.idempotencyKey !== null).map(rowOf),
      customers: this.customers,
      listening: this.listeners,
      nearest: () => null,
    }
  }

  decide(events: IncomingEvent[]): Decision[] {
    return decide(events, this.snapshot())
  }

  /** Does what the statement would do; throws where two rows would be in each other's way. */
  write(writes: readonly EventWrite[]): void {
    for (const write of writes) {
      const { event, customerId, enrol, fill } = write
      const { workspaceId, phone } = event
      if (this.written.some(other => isSameKey(other.event, event))) throw new Error('a key twice')
      if (enrol) this.#add({ workspaceId, id: customerId, phone, externalId: null })
      if (fill) this.#fill(workspaceId, customerId, fill)
      this.written.push(write)
    }
  }

  #add(customer: KnownCustomer): void {
    this.customers.push(customer)
    this.#refuseDoubles(customer)
  }

  #fill(workspaceId: string, id: string, fill: NonNullable<EventWrite['fill']>): void {
    const customer = this.customers.find(one => one.workspaceId === workspaceId && one.id === id)
    if (!customer) throw new Error('a customer that does not exist is filled in')
    if (fill.phone && customer.phone !== null) throw new Error('a phone is overwritten')
    if (fill.externalId && customer.externalId !== null) throw new Error('an external id is overwritten')
    customer.phone ??= fill.phone
    customer.externalId ??= fill.externalId
    this.#refuseDoubles(customer)
  }

  #refuseDoubles(customer: KnownCustomer): void {
    const alike = this.customers.filter(({ workspaceId }) => workspaceId === customer.workspaceId)
    if (customer.phone !== null && alike.filter(({ phone }) => phone === customer.phone).length > 1)
      throw new Error('a phone twice')
    if (customer.externalId !== null && alike.filter(one => one.externalId === customer.externalId).length > 1)
      throw new Error('an external id twice')
  }
}

const isSameKey = (a: IncomingEvent, b: IncomingEvent): boolean =>
  a.idempotencyKey !== null &&
  a.idempotencyKey === b.idempotencyKey &&
  a.source === b.source &&
  a.workspaceId === b.workspaceId

const rowOf = ({ id, event, customerId, matchedWorkflows, verdicts }: EventWrite): SeenEvent => ({
  id,
  workspaceId: event.workspaceId,
  type: event.type,
  source: event.source,
  sender: event.sender,
  customerId,
  data: null,
  idempotencyKey: event.idempotencyKey,
  isWhole: true,
  occurredAt: event.occurredAt,
  matchedWorkflows,
  createdAt: new Date('2026-03-01T09:00:00Z'),
  verdicts,
})

/** An event of the workspace `w` about nobody, but for what is said of it. */
export const eventWith = (given: Partial<IncomingEvent>): IncomingEvent => ({
  workspaceId: 'w',
  source: 'api',
  sender: 'custom',
  type: 'order.created',
  phone: null,
  customerId: null,
  externalId: null,
  occurredAt: null,
  name: null,
  data: {},
  idempotencyKey: null,
  optInEvidence: null,
  monthlyLimit: null,
  ...given,
})
