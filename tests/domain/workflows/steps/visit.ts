/** Facts of a customer at a step, for the tests of step types. */

import { Budget } from '../../../../src/domain/conditions/evaluate.ts'
import type { ChannelOfRun, RunFacts, SeenFacts } from '../../../../src/domain/workflows/facts.ts'
import type { Visit } from '../../../../src/domain/workflows/steps/index.ts'

export const noon = new Date('2026-03-01T12:00:00.000Z')

/** Returns a channel on which the customer can be messaged at any time. */
export const channel = (other: Partial<ChannelOfRun> = {}): ChannelOfRun => ({
  id: 'first',
  kind: 'sandbox',
  connected: true,
  templates: false,
  windowHours: null,
  address: '+4915112345678',
  windowClosesAt: null,
  ...other,
})

/** Returns the facts of a run. `other` replaces defaults. */
export const facts = (other: Partial<RunFacts> = {}): RunFacts => ({
  data: { total: 120 },
  event: { id: 'e', type: 'order.created' },
  customer: {
    id: 'c',
    name: 'Ana',
    phone: '+4915112345678',
    externalId: null,
    attributes: {},
    optedIn: true,
    optedOut: false,
    hasConversation: true,
  },
  channels: [channel({ id: 'first' }), channel({ id: 'second' })],
  templates: {},
  timezone: 'UTC',
  plan: { workflows: true },
  ...other,
})

const seen = (facts: RunFacts): SeenFacts => ({
  ...facts,
  trigger: { data: facts.data },
  answer: null,
  now: noon.toISOString(),
})

export const visit = (other: Partial<RunFacts> = {}): Visit => ({
  facts: seen(facts(other)),
  budget: new Budget(),
  waitsFrom: noon,
  now: noon,
})
