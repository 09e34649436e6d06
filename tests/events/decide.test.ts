import { describe, expect, test } from 'bun:test'
import { type Decision, decide, type Snapshot } from '../../src/events/decide.ts'
import type { EventWrite, IncomingEvent, KnownCustomer } from '../../src/events/sql.ts'
import type { ListeningWorkflow } from '../../src/workflows/index.ts'
import { Books, eventWith } from './books.ts'

const phone = '+491510000001'
const otherPhone = '+491510000002'

const customerWith = (given: Partial<KnownCustomer>): KnownCustomer => ({
  workspaceId: 'w',
  id: 'ana',
  phone: null,
  externalId: null,
  ...given,
})

const ana = customerWith({ id: 'ana', phone, externalId: 'crm-ana' })
const ben = customerWith({ id: 'ben', phone: otherPhone })
const cleo = customerWith({ id: 'cleo', externalId: 'crm-cleo' })
const dan = customerWith({ id: 'dan', phone: '+491510000008' })
const everybody = [ana, ben, cleo, dan]

const kindsOf = (decisions: Decision[]) => decisions.map(({ kind }) => kind)

const writeOf = (decision: Decision | undefined): EventWrite => {
  if (decision?.kind !== 'write') throw new Error(`not written: ${JSON.stringify(decision)}`)
  return decision.write
}

/** Returns the decisions about the events when the database contains these customers. */
const among = (customers: KnownCustomer[], ...events: Partial<IncomingEvent>[]): Decision[] =>
  new Books({ customers }).decide(events.map(eventWith))

test.each([
  ['another source', { source: 'dashboard' as const }],
  ['another workspace', { workspaceId: 'v', customerId: null, phone }],
  ['an equal key in another case', { idempotencyKey: 'Order-1' }],
  ['no key', { idempotencyKey: null }],
])('an idempotency key belongs to its workspace and source: %s is a new event', (_, other) => {
  const first = { customerId: 'ana', idempotencyKey: 'order-1' }
  const books = new Books({ customers: everybody })
  books.write([writeOf(books.decide([eventWith(first)])[0])])
  const decided = books.decide([eventWith({ ...first, ...other }), eventWith(first)])
  expect(kindsOf(decided)).toEqual(['write', 'replay'])
})

describe('a customer is identified', () => {
  const freePhone = '+491510000009'
  test.each<[Partial<IncomingEvent>, string, object | null]>([
    [{ customerId: 'ana' }, 'ana', null],
    [{ customerId: 'ANA' }, 'ana', null],
    [{ externalId: 'crm-cleo' }, 'cleo', null],
    [{ phone: otherPhone }, 'ben', null],
    [{ customerId: 'ana', externalId: 'crm-ana', phone }, 'ana', null],
    [{ customerId: 'ben', externalId: 'new' }, 'ben', { externalId: 'new', phone: null }],
    [{ externalId: 'crm-cleo', phone: freePhone }, 'cleo', { externalId: null, phone: freePhone }],
    [{ customerId: 'eve', externalId: 'new', phone: freePhone }, 'eve', { externalId: 'new', phone: freePhone }],
  ])('by %j, and missing identifiers are filled in', (given, customerId, fill) => {
    const customers = [...everybody, customerWith({ id: 'eve' })]
    expect(writeOf(among(customers, given)[0])).toMatchObject({ customerId, enrol: false, fill })
  })

  const another = (field: string) => `${field}: Does not match: the identified customer has another ${field}.`
  const belongs = 'Belongs to another customer than the identified one.'
  const unknown = 'externalId: No customer has this external ID, and an external ID never enrols one.'
  const shop = { sender: 'shopify' as const }
  test.each<[string, Partial<IncomingEvent>]>([
    [another('externalId'), { customerId: 'ana', externalId: 'crm-cleo' }],
    [another('phone'), { customerId: 'ana', phone: otherPhone }],
    [another('phone'), { externalId: 'crm-ana', phone: otherPhone }],
    [`externalId: ${belongs}`, { customerId: 'ben', externalId: 'crm-cleo' }],
    [`phone: ${belongs}`, { customerId: 'cleo', phone }],
    ['customerId: No such customer', { customerId: 'nobody' }],
    ['customerId: No such customer', { customerId: 'ana', workspaceId: 'v' }],
    [unknown, { externalId: 'nobody' }],
    [unknown, { externalId: 'nobody', phone }],
    [unknown, { externalId: 'crm-ana', workspaceId: 'v' }],
    ['phone: Send one of', {}],
    ['phone: Send one of', { ...shop, type: 'cart.created' }],
    ['phone: Send one of', { type: 'order.created' }],
    ['phone: The order has no phone number. Request one at checkout', { ...shop, type: 'order.created' }],
  ])('or the event is refused: %s', (says, given) => {
    const [decision] = among(everybody, given)
    if (decision?.kind !== 'refuse') throw new Error(`not refused: ${JSON.stringify(decision)}`)
    expect(decision.error.code).toBe('invalid_request')
    const [[field, message]] = Object.entries(decision.error.details!) as [[string, string]]
    expect(`${field}: ${message}`).toStartWith(says)
  })

  test('and enrolled by an unknown phone of the workspace', () => {
    for (const given of [{ phone: freePhone }, { phone, workspaceId: 'v' }]) {
      const { customerId, enrol, fill } = writeOf(among(everybody, given)[0])
      expect([enrol, fill]).toEqual([true, null])
      expect(everybody.map(({ id }) => id)).not.toContain(customerId)
    }
  })
})

describe('in a batch, an event is deferred only if necessary:', () => {
  const free = '+491510000009'
  const keyed = { customerId: 'ana', idempotencyKey: 'order-1' }
  const ofBen = { customerId: 'ben' }
  const filling = { customerId: 'ben', externalId: 'new' }
  const fillsPhone = { customerId: 'cleo', phone: free }
  const optIn = { ...ofBen, optInEvidence: 'a box' }
  /** The decision about each event of a batch. The property tests cover the events that must be deferred. */
  test.each<[string, string, Partial<IncomingEvent>[]]>([
    ['without a change of the customer', 'write write write', [{ phone }, keyed, { externalId: 'crm-ana' }]],
    ['any number of opt-ins of a customer', Array(350).fill('write').join(' '), Array(350).fill(optIn)],
    ['a phone in each workspace', 'write write', [{ phone: free }, { phone: free, workspaceId: 'v' }]],
    ['a key per source', 'write again write', [keyed, { ...keyed, ...ofBen }, { ...keyed, source: 'dashboard' }]],
    ['a key of a refused event', 'refuse write', [{ ...keyed, externalId: 'nobody' }, keyed]],
    ['filling in several customers', 'write again write', [filling, { ...ofBen, externalId: 'two' }, fillsPhone]],
    ['behind an event of another customer', 'write again write', [filling, ofBen, keyed]],
    ['but behind an event that adds an identifier', 'write again again', [ofBen, filling, ofBen]],
    ['no event overtakes a deferred one', 'write again again', [filling, optIn, { phone: otherPhone }]],
  ])('%s', (_, kinds, events) => {
    expect(kindsOf(among(everybody, ...events)).join(' ')).toBe(kinds)
  })
})

describe('workflows', () => {
  const listener = (given: Partial<ListeningWorkflow>): ListeningWorkflow => ({
    workspaceId: 'w',
    type: 'order.created',
    triggerType: 'order.created',
    workflowId: 'one',
    name: 'One',
    enabled: true,
    version: 3,
    where: null,
    ...given,
  })
  const started = listener({})
  const off = listener({ workflowId: 'off', enabled: false })
  const draft = listener({ workflowId: 'draft', version: null })
  const draftOff = listener({ workflowId: 'draft-off', version: null, enabled: false })
  const filtered = listener({ workflowId: 'filtered', where: { path: 'data.total', op: 'gte', value: 20 } })

  const judged = (
    listeners: ListeningWorkflow[],
    event: Partial<IncomingEvent> = {},
    snapshot: Partial<Snapshot> = {},
  ) =>
    writeOf(
      decide([eventWith({ customerId: 'ana', data: { total: 12 }, ...event })], {
        ...new Books({ customers: everybody, listeners }).snapshot(),
        ...snapshot,
      })[0],
    )

  test('that name the type get one verdict each, in order', () => {
    const { verdicts, matchedWorkflows, reason } = judged([off, started, draft, draftOff, filtered])
    const none = { name: 'One', runId: null, version: null, detail: null }
    const comparison = { path: 'data.total', op: 'gte' as const, value: 20, found: 12, negated: false }
    expect(verdicts).toEqual([
      { ...none, workflowId: 'off', verdict: 'switched_off' },
      { ...none, workflowId: 'one', verdict: 'started', runId: expect.any(String), version: 3 },
      { ...none, workflowId: 'draft', verdict: 'never_published' },
      { ...none, workflowId: 'draft-off', verdict: 'switched_off' },
      { ...none, workflowId: 'filtered', verdict: 'not_run_for_customer', detail: { comparisons: [comparison] } },
    ])
    expect([matchedWorkflows, reason]).toEqual([2, null])
  })

  test.each([
    ['not_run_for_customer', [off, draft, filtered], 1],
    ['never_published', [off, draft], 0],
    ['switched_off', [off, draftOff], 0],
    ['no_listener', [], 0],
  ] as const)('that did not start give the reason nearest to running: %s', (reason, listeners, matchedWorkflows) => {
    expect(judged([...listeners])).toMatchObject({ reason, matchedWorkflows })
  })

  test('in the hundreds for one type limit the events of the workspace in a round, and not those of other workspaces', () => {
    const listeners = Array.from({ length: 400 }, (_, n) => listener({ workflowId: `${n}`, enabled: false }))
    const theirs = { workspaceId: 'other', customerId: 'zoe' }
    const snapshot = new Books({
      customers: [...everybody, customerWith({ workspaceId: 'other', id: 'zoe' })],
      listeners,
    })
    const decisions = snapshot.decide(
      ['ana', 'ben', 'cleo', 'ana', 'ben'].map(customerId => eventWith({ customerId })).concat(eventWith(theirs)),
    )
    expect(kindsOf(decisions)).toEqual(['write', 'write', 'write', 'again', 'again', 'write'])
    // Thousands do not prevent a single event from being recorded.
    expect(judged(Array(2000).fill(listeners[0])).verdicts).toHaveLength(2000)
  })

  describe('if none names the type', () => {
    const alike = (triggerType: string, workflowId: string) => listener({ triggerType, workflowId })
    const nothing = { workflowId: null, name: null, runId: null, version: null, verdict: 'no_listener' as const }

    test('suggest the spelling that most of them name', () => {
      const listeners = [alike('Order.Created', 'a'), alike('order_created', 'b'), alike('order_created', 'c')]
      const { verdicts, matchedWorkflows, reason } = judged(listeners)
      expect(verdicts).toEqual([{ ...nothing, detail: { type: 'order_created', workflows: 2 } }])
      expect([matchedWorkflows, reason]).toEqual([0, 'no_listener'])
    })

    test('suggest the nearest type of the workspace otherwise', () => {
      const nearest: Snapshot['nearest'] = (workspaceId, type) => ({
        type: `${workspaceId} near ${type}`,
        workflows: 1,
      })
      const detail = { type: 'w near order.created', workflows: 1 }
      expect(judged([], {}, { nearest }).verdicts).toEqual([{ ...nothing, detail }])
      expect(judged([alike('order_created', 'b')], {}, { nearest }).verdicts[0]!.detail).toMatchObject({
        type: 'order_created',
      })
      expect(judged([alike('order_created', 'b'), off], {}, { nearest }).verdicts).toMatchObject([
        { workflowId: 'off', verdict: 'switched_off' },
      ])
    })
  })
})
