/** In-memory replacement for the database that event decisions read and change. It runs sequentially. */
import { type Decision, decide, type Snapshot } from '../../src/events/decide.ts'
import type { EventWrite, ExistingEvent, IncomingEvent, KnownCustomer } from '../../src/events/sql.ts'
import type { ListeningWorkflow } from '../../src/workflows/index.ts'

/** Holds the customers and recorded events as the decisions of each round leave them. */
export class Books {
  readonly customers: KnownCustomer[]
  readonly listeners: ListeningWorkflow[]
  readonly written: EventWrite[] = []

  constructor(opened: { customers?: readonly KnownCustomer[]; listeners?: ListeningWorkflow[] }) {
    this.customers = (opened.customers ?? []).map(customer => ({ ...customer }))
    this.listeners = opened.listeners ?? []
  }

  /** Returns more than was requested, to test that a customer is not confused with another. */
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

  /** Does the work of the SQL statement. Throws if two rows would conflict. */
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

const rowOf = ({ id, event, customerId, matchedWorkflows, verdicts }: EventWrite): ExistingEvent => ({
  id,
  workspaceId: event.workspaceId,
  type: event.type,
  source: event.source,
  sender: event.sender,
  customerId,
  data: null,
  idempotencyKey: event.idempotencyKey,
  isComplete: true,
  occurredAt: event.occurredAt,
  matchedWorkflows,
  createdAt: new Date('2026-03-01T09:00:00Z'),
  verdicts,
})

/** Returns an event of the workspace `w` without a customer, with the given fields. */
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
  traceparent: null,
  ...given,
})
