import { describe, expect, test } from 'bun:test'
import { type Decision, decide, type Snapshot } from '../../src/events/decide.ts'
import type { EventWrite, IncomingEvent, KnownCustomer } from '../../src/events/sql.ts'
import type { ListeningWorkflow } from '../../src/workflows/index.ts'
import { countedList } from '../support/stretch.ts'
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

const refusalOf = (decision: Decision | undefined) => {
  if (decision?.kind !== 'refuse') throw new Error(`not refused: ${JSON.stringify(decision)}`)
  return { code: decision.error.code, details: decision.error.details }
}

/** Returns the decisions about the events when the database contains these customers. */
const among = (customers: KnownCustomer[], ...events: Partial<IncomingEvent>[]): Decision[] =>
  new Books({ customers }).decide(events.map(eventWith))

describe('an idempotency key', () => {
  const recorded = (first: Partial<IncomingEvent>) => {
    const books = new Books({ customers: everybody })
    books.write([writeOf(books.decide([eventWith(first)])[0])])
    return books
  }
  const first = { customerId: 'ana', idempotencyKey: 'order-1' }

  test('that was used returns the first event, even if the second has other content', () => {
    const books = recorded(first)
    const [again] = books.decide([eventWith({ externalId: 'nobody', type: 'other', idempotencyKey: 'order-1' })])
    expect(again).toMatchObject({ kind: 'replay', event: { id: books.written[0]!.id, customerId: 'ana' } })
  })

  test.each([
    ['another source', { source: 'dashboard' as const }],
    ['another workspace', { workspaceId: 'v', customerId: null, phone }],
    ['another key', { idempotencyKey: 'order-2' }],
    ['an equal key in another case', { idempotencyKey: 'Order-1' }],
    ['no key', { idempotencyKey: null }],
  ])('belongs to its workspace and source: %s is a new event', (_, other) => {
    expect(kindsOf(recorded(first).decide([eventWith({ ...first, ...other })]))).toEqual(['write'])
  })
})

describe('a customer is identified', () => {
  const identified = (given: Partial<IncomingEvent>) => {
    const { customerId, enrol, fill } = writeOf(among(everybody, given)[0])
    return { customerId, enrol, fill }
  }
  const known = (customerId: string) => ({ customerId, enrol: false, fill: null })

  test.each([
    ['by customerId', { customerId: 'ana' }, 'ana'],
    ['by customerId in capital letters', { customerId: 'ANA' }, 'ana'],
    ['by externalId', { externalId: 'crm-cleo' }, 'cleo'],
    ['by phone', { phone: otherPhone }, 'ben'],
    ['by all matching identifiers', { customerId: 'ana', externalId: 'crm-ana', phone }, 'ana'],
  ])('%s', (_, given, customerId) => {
    expect(identified(given)).toEqual(known(customerId))
  })

  const anotherOf = (field: string) => `Does not match: the identified customer has another ${field}.`
  const belongs = 'Belongs to another customer than the identified one.'
  test.each([
    [{ customerId: 'ana', externalId: 'crm-cleo' }, 'externalId', anotherOf('externalId')],
    [{ customerId: 'ana', phone: otherPhone }, 'phone', anotherOf('phone')],
    [{ externalId: 'crm-ana', phone: otherPhone }, 'phone', anotherOf('phone')],
    [{ customerId: 'ben', externalId: 'crm-cleo' }, 'externalId', belongs],
    [{ customerId: 'cleo', phone }, 'phone', belongs],
  ])('by customerId, then externalId, then phone, which must not contradict: %j', (given, field, sentence) => {
    expect(refusalOf(among(everybody, given)[0]).details).toEqual({ [field]: sentence })
  })

  test('and missing identifiers are filled in', () => {
    expect(identified({ customerId: 'ben', externalId: 'new' })).toEqual({
      ...known('ben'),
      fill: { externalId: 'new', phone: null },
    })
    expect(identified({ externalId: 'crm-cleo', phone: '+491510000009' })).toEqual({
      ...known('cleo'),
      fill: { externalId: null, phone: '+491510000009' },
    })
    const nameless = customerWith({ id: 'eve' })
    expect(writeOf(among([nameless], { customerId: 'eve', externalId: 'new', phone })[0])).toMatchObject({
      customerId: 'eve',
      fill: { externalId: 'new', phone },
    })
  })

  test('only within the workspace of the event', () => {
    for (const given of [{ customerId: 'ana' }, { externalId: 'crm-ana' }])
      expect(kindsOf(among(everybody, { ...given, workspaceId: 'v' }))).toEqual(['refuse'])
    expect(writeOf(among(everybody, { phone, workspaceId: 'v' })[0])).toMatchObject({ enrol: true })
    const filled = { customerId: 'vera', phone }
    const vera = customerWith({ workspaceId: 'v', id: 'vera' })
    expect(writeOf(among([...everybody, vera], { ...filled, workspaceId: 'v' })[0]).fill?.phone).toBe(phone)
  })
})

describe('a customer is enrolled', () => {
  test('by a phone alone', () => {
    const write = writeOf(among(everybody, { phone: '+491510000009' })[0])
    expect(write).toMatchObject({ enrol: true, fill: null })
    expect(everybody.map(({ id }) => id)).not.toContain(write.customerId)
  })

  test.each([
    ['an unknown customerId', { customerId: 'nobody' }, 'customerId', /^No such customer/],
    ['an unknown externalId', { externalId: 'nobody' }, 'externalId', /never enrols one/],
    ['an unknown externalId with a phone', { externalId: 'nobody', phone }, 'externalId', /never enrols one/],
    ['nothing', {}, 'phone', /^Send one of/],
    [
      'no identifier, from a store, in an event other than an order',
      { sender: 'shopify', type: 'cart.created' },
      'phone',
      /^Send one of/,
    ],
    ['an order of other code without identifiers', { type: 'order.created' }, 'phone', /^Send one of/],
    [
      'a store order without identifiers',
      { sender: 'shopify', type: 'order.created' },
      'phone',
      /^The order has no phone number\. Request one at checkout/,
    ],
  ])('never by %s', (_, given, field, says) => {
    expect(refusalOf(among(everybody, given)[0])).toEqual({
      code: 'invalid_request',
      details: { [field]: expect.stringMatching(says) },
    })
  })
})

describe('an opt-in', () => {
  test('gets an id before the id of its event, and an event without an opt-in gets none', () => {
    const { consentId, id } = writeOf(among(everybody, { customerId: 'ana', optInEvidence: 'a box' })[0])
    expect(consentId! < id).toBe(true)
    expect(writeOf(among(everybody, { customerId: 'ana' })[0]).consentId).toBeNull()
  })
})

describe('in a batch', () => {
  const free = '+491510000009'
  const keyed = { customerId: 'ana', idempotencyKey: 'order-1' }
  const ofBen = { customerId: 'ben' }
  const filling = { customerId: 'ben', externalId: 'new' }
  const fillsPhone = { customerId: 'cleo', phone: free }
  const [optIn, cleosOptIn] = ['ben', 'cleo'].map(customerId => ({ customerId, optInEvidence: 'a box' }))
  /** The events of a batch in order, and the decision about each. */
  test.each<[string, Partial<IncomingEvent>[], string]>([
    [
      'events that do not change their customer are written',
      [{ phone }, keyed, { externalId: 'crm-ana' }],
      'write write write',
    ],
    ['any number of opt-ins of a customer is written', Array(350).fill(optIn), Array(350).fill('write').join(' ')],
    ['a phone is enrolled once in each workspace', [{ phone: free }, { phone: free, workspaceId: 'v' }], 'write write'],
    [
      'a key is used once per source',
      [keyed, { ...keyed, ...ofBen }, { ...keyed, customerId: 'cleo', source: 'dashboard' }],
      'write again write',
    ],
    ['a used key defers an event without a customer', [keyed, { idempotencyKey: 'order-1' }], 'write again'],
    ['a used key defers an event of an unknown customer', [keyed, { ...keyed, externalId: 'nobody' }], 'write again'],
    ['a used key defers a contradiction', [keyed, { ...keyed, phone: otherPhone }], 'write again'],
    ['a key can be used after its event was refused', [{ ...keyed, externalId: 'nobody' }, keyed], 'refuse write'],
    [
      'one event at a time fills in a customer',
      [filling, { ...ofBen, externalId: 'two' }, fillsPhone],
      'write again write',
    ],
    ['a phone that is filled in enrols no other customer', [fillsPhone, { phone: free }], 'write again'],
    ['a phone that is enrolled is not filled in', [{ phone: free }, fillsPhone], 'write again'],
    ['an external id is filled in for one customer', [filling, { ...filling, customerId: 'dan' }], 'write again'],
    [
      'a filling event waits for earlier ones, and later ones wait for it',
      [ofBen, filling, ofBen],
      'write again again',
    ],
    ['only events of its customer wait for a filling event', [filling, ofBen, keyed], 'write again write'],
    [
      'no event overtakes a deferred one of its customer',
      [filling, optIn!, { phone: otherPhone }],
      'write again again',
    ],
    [
      'no event overtakes a deferred one with its key',
      [filling, { ...optIn, idempotencyKey: 'order-1' }, keyed],
      'write again again',
    ],
    [
      'no event overtakes a deferred one with its external id',
      [{ ...ofBen, externalId: 'first' }, { ...optIn, externalId: 'new' }, { externalId: 'new' }],
      'write again again',
    ],
    [
      'no event enrols the phone that a deferred one fills in',
      [cleosOptIn!, { ...cleosOptIn, phone: free }, { phone: free }],
      'write again again',
    ],
    ['no event overtakes one that names a filled-in id', [filling, { externalId: 'new' }, ofBen], 'write again again'],
  ])('%s', (_, events, kinds) => {
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
    expect(verdicts).toEqual([
      { workflowId: 'off', name: 'One', verdict: 'switched_off', runId: null, version: null, detail: null },
      { workflowId: 'one', name: 'One', verdict: 'started', runId: expect.any(String), version: 3, detail: null },
      { workflowId: 'draft', name: 'One', verdict: 'never_published', runId: null, version: null, detail: null },
      { workflowId: 'draft-off', name: 'One', verdict: 'switched_off', runId: null, version: null, detail: null },
      {
        workflowId: 'filtered',
        name: 'One',
        verdict: 'not_run_for_customer',
        runId: null,
        version: null,
        detail: { comparisons: [{ path: 'data.total', op: 'gte', value: 20, found: 12, negated: false }] },
      },
    ])
    expect([matchedWorkflows, reason]).toEqual([2, null])
  })

  test('with filters that exceed the budget, alone or together, do not match and report it', () => {
    const { list, reads } = countedList(10_000, 1)
    const contains = { path: 'data.list', op: 'contains' as const, value: 2 }
    const heavy = (workflowId: string, count: number) =>
      listener({ workflowId, where: { any: Array.from({ length: count }, () => contains) } })
    const listeners = [heavy('too much alone', 2000), heavy('enough', 2), ...Array(200).fill(heavy('too many', 4))]
    const { verdicts } = judged([...listeners, started], { data: { list } })
    // The budget that all filters share, used once to decide and once to explain.
    expect(reads.count).toBeLessThan(450_000)
    expect(verdicts[0]!.detail).toEqual({ comparisons: [], tooMuch: true })
    expect(verdicts[1]!.detail).toMatchObject({ comparisons: [{ path: 'data.list' }, { path: 'data.list' }] })
    expect(verdicts.at(-2)!.detail).toEqual({ comparisons: [], tooMuch: true })
    expect(verdicts.at(-1)!.verdict).toBe('started')
  })

  test('with a filter start if it matches the data or the type', () => {
    expect(judged([filtered], { data: { total: 20 } }).verdicts[0]!.verdict).toBe('started')
    const byType = listener({ where: { path: 'event.type', op: 'eq', value: 'order.created' } })
    expect(judged([byType]).verdicts[0]!.verdict).toBe('started')
  })

  test('start one run each, with separate ids', () => {
    const { verdicts } = judged([started, listener({ workflowId: 'two' })])
    expect(new Set(verdicts.map(({ runId }) => runId)).size).toBe(2)
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
  })

  test('in the thousands for one type do not prevent an event from being recorded', () => {
    const listeners = Array.from({ length: 2000 }, (_, n) => listener({ workflowId: `${n}`, enabled: false }))
    expect(judged(listeners).verdicts).toHaveLength(2000)
  })

  test('are ignored if they belong to another workspace or type', () => {
    const others = [listener({ workspaceId: 'v' }), listener({ type: 'order.paid', triggerType: 'order.paid' })]
    expect(judged(others)).toMatchObject({ verdicts: [], matchedWorkflows: 0, reason: 'no_listener' })
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
      const meant = { type: 'w near order.created', workflows: 1 }
      expect(judged([], {}, { nearest }).verdicts).toEqual([{ ...nothing, detail: meant }])
      expect(judged([alike('order_created', 'b')], {}, { nearest }).verdicts[0]!.detail).toEqual({
        type: 'order_created',
        workflows: 1,
      })
    })

    test('make no suggestion if one of them does name it', () => {
      const nearest = () => ({ type: 'near', workflows: 1 })
      expect(judged([alike('order_created', 'b'), off], {}, { nearest }).verdicts).toMatchObject([
        { workflowId: 'off', verdict: 'switched_off' },
      ])
    })
  })
})
