/** Property tests of the rules for recording events, with random batches. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Decision } from '../../src/events/decide.ts'
import type { EventWrite, IncomingEvent, KnownCustomer } from '../../src/events/sql.ts'
import type { ListeningWorkflow } from '../../src/workflows/index.ts'
import { Books, eventWith } from './books.ts'

/** Few names, so that events of a batch often share customers and keys. */
const workspaces = ['w', 'v']
const phones = ['+491510000001', '+491510000002', '+491510000003']
const externalIds = ['crm-1', 'crm-2', 'crm-3']
const types = ['order.created', 'order.paid']

/** Generates customers of both workspaces. Phones and external ids are unique within a workspace. */
const someCustomers: fc.Arbitrary<KnownCustomer[]> = fc
  .array(
    fc.record({
      workspaceId: fc.constantFrom(...workspaces),
      phone: fc.option(fc.constantFrom(...phones)),
      externalId: fc.option(fc.constantFrom(...externalIds)),
    }),
    { maxLength: 5 },
  )
  .map(drawn => {
    const taken = new Set<string>()
    const once = (workspaceId: string, name: string | null) => {
      if (name === null || taken.has(`${workspaceId} ${name}`)) return null
      taken.add(`${workspaceId} ${name}`)
      return name
    }
    return drawn.map(({ workspaceId, phone, externalId }, place) => ({
      workspaceId,
      id: `customer-${place}`,
      phone: once(workspaceId, phone),
      externalId: once(workspaceId, externalId),
    }))
  })

const someEvent: fc.Arbitrary<IncomingEvent> = fc
  .record({
    workspaceId: fc.constantFrom(...workspaces),
    source: fc.constantFrom('api' as const, 'dashboard' as const),
    type: fc.constantFrom(...types),
    phone: fc.option(fc.constantFrom(...phones)),
    customerId: fc.option(fc.constantFrom('customer-0', 'customer-1', 'CUSTOMER-1', 'nobody'), { freq: 2 }),
    externalId: fc.option(fc.constantFrom(...externalIds), { freq: 2 }),
    idempotencyKey: fc.option(fc.constantFrom('key-1', 'key-2'), { freq: 2 }),
    optInEvidence: fc.option(fc.constant('a checkbox'), { freq: 2 }),
  })
  .map(eventWith)

const someEvents = fc.array(someEvent, { maxLength: 12 })

const someListeners: fc.Arbitrary<ListeningWorkflow[]> = fc
  .array(
    fc.record({
      workspaceId: fc.constantFrom(...workspaces),
      type: fc.constantFrom(...types),
      triggerType: fc.constantFrom(...types, 'Order_Created'),
      enabled: fc.boolean(),
      version: fc.option(fc.integer({ min: 1, max: 9 })),
      where: fc.option(fc.constant({ path: 'data.total', op: 'gte' as const, value: 20 })),
    }),
    { maxLength: 4 },
  )
  .map(drawn => drawn.map((listener, place) => ({ ...listener, workflowId: `workflow-${place}`, name: 'a workflow' })))

/** Generates the content of the books. Each property creates its own `Books`, because recording changes them. */
const someWorld = fc.record({ customers: someCustomers, listeners: someListeners })

/** Asserts that the property holds for the books of any world and any batch. */
const forAnyBatch = (
  holds: (
    books: Books,
    events: IncomingEvent[],
    world: { customers: KnownCustomer[]; listeners: ListeningWorkflow[] },
  ) => void,
  parameters?: fc.Parameters<[unknown, unknown]>,
) =>
  fc.assert(
    fc.property(someWorld, someEvents, (world, events) => holds(new Books(world), events, world)),
    parameters,
  )

const writesOf = (decisions: readonly Decision[]): EventWrite[] =>
  decisions.flatMap(decision => (decision.kind === 'write' ? [decision.write] : []))

describe('in any batch', () => {
  test('each event gets a decision in order, the first is not deferred, and a write counts the deferred ones before it', () =>
    forAnyBatch((books, events) => {
      const decisions = books.decide(events)
      expect(decisions).toHaveLength(events.length)
      expect(decisions[0]?.kind).not.toBe('again')
      for (const [place, decision] of decisions.entries()) {
        if (decision.kind !== 'write') continue
        expect(decision.write.event).toBe(events[place]!)
        const { workspaceId } = events[place]!
        const before = decisions.slice(0, place).filter((_, other) => events[other]!.workspaceId === workspaceId)
        expect(decision.write.deferredBefore).toBe(before.filter(({ kind }) => kind === 'again').length)
      }
    }))

  test('each workspace gets the same decisions as without the others', () =>
    forAnyBatch((books, events, world) => {
      const together = books.decide(events)
      for (const workspace of workspaces) {
        const isTheirs = ({ workspaceId }: { workspaceId: string }) => workspaceId === workspace
        const alone = new Books({
          customers: world.customers.filter(isTheirs),
          listeners: world.listeners.filter(isTheirs),
        })
        const theirs = together.filter((_, place) => isTheirs(events[place]!))
        expect(withoutNewIds(theirs)).toEqual(withoutNewIds(alone.decide(events.filter(isTheirs))))
      }
    }))

  test('the decisions are the same when repeated, except for new ids', () =>
    forAnyBatch((books, events) => {
      expect(withoutNewIds(books.decide(events))).toEqual(withoutNewIds(books.decide(events)))
    }))
})

describe('in several rounds', () => {
  test('a batch has the same results as its events one by one, in order per customer, in at most one round each', () =>
    forAnyBatch(
      (books, events, world) => {
        const alone = new Books(world)
        const oneByOne = events.map(event => inRounds(alone, [event]).results[0]!)
        const { results, rounds } = inRounds(books, events)
        expect(results).toEqual(oneByOne)
        expect(rounds).toBeLessThanOrEqual(events.length)
        expect(known(books)).toEqual(known(alone))
        for (const writes of Map.groupBy(books.written, ({ customerId }) => customerId).values()) {
          const places = writes.map(({ event }) => events.indexOf(event))
          expect(places).toEqual(places.toSorted((a, b) => a - b))
        }
      },
      { numRuns: 1000 },
    ))
})

/** The result of an event in words that do not depend on generated ids. */
type Result = string

/** Decides and writes until no event is deferred. */
const inRounds = (books: Books, events: readonly IncomingEvent[]): { results: Result[]; rounds: number } => {
  const results = new Array<Result>(events.length)
  let open = events.map((event, place) => ({ event, place }))
  let rounds = 0
  while (open.length > 0) {
    rounds++
    const decisions = books.decide(open.map(({ event }) => event))
    books.write(writesOf(decisions))
    for (const [index, { place }] of open.entries()) {
      const result = resultOf(decisions[index]!, books)
      if (result !== null) results[place] = result
    }
    const left = open.filter((_, index) => decisions[index]!.kind === 'again')
    if (left.length === open.length) throw new Error('nobody got further')
    open = left
  }
  return { results, rounds }
}

const resultOf = (decision: Decision, books: Books): Result | null => {
  switch (decision.kind) {
    case 'again':
    case 'later':
      return null
    case 'refuse':
      // If several things are wrong, the reported one can depend on what is known at that time.
      return 'refused'
    case 'replay':
      return `replay of the event with ${decision.event.source} ${decision.event.idempotencyKey} about ${nameOf(decision.event.customerId, books)}`
    case 'write': {
      const { enrol, fill, customerId, reason, matchedWorkflows } = decision.write
      return `${enrol ? 'enrols' : 'is about'} ${nameOf(customerId, books)}, ${JSON.stringify({ fill, reason, matchedWorkflows })}`
    }
  }
}

/** Names a customer who was enrolled in the test by phone. */
const nameOf = (id: string, { customers }: Books): string =>
  id.startsWith('customer-') ? id : `new ${customers.find(customer => customer.id === id)?.phone}`

const known = (books: Books): string[] =>
  books.customers.map(customer => JSON.stringify({ ...customer, id: nameOf(customer.id, books) })).sort()

/** Replaces each new id by the order of its first appearance. */
const withoutNewIds = (decisions: Decision[]): string => {
  const ids = new Map<string, number>()
  return JSON.stringify(decisions).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, id => {
    if (!ids.has(id)) ids.set(id, ids.size)
    return `new-${ids.get(id)}`
  })
}
