/** Facts of a customer at a step, for the tests of step types. */

import { Budget } from '../../../src/core/conditions/evaluate.ts'
import type { ReadableFacts, RunChannel, RunFacts } from '../../../src/workflows/runs/facts.ts'
import type { StepContext } from '../../../src/workflows/steps/index.ts'

export const noon = new Date('2026-03-01T12:00:00.000Z')

/** Returns a channel on which the customer can be messaged at any time. */
export const channel = (other: Partial<RunChannel> = {}): RunChannel => ({
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

const seen = (facts: RunFacts): ReadableFacts => ({
  ...facts,
  trigger: { data: facts.data },
  answer: null,
  now: noon.toISOString(),
})

export const visit = (other: Partial<RunFacts> = {}): StepContext => ({
  facts: seen(facts(other)),
  budget: new Budget(),
  waitStart: noon,
  now: noon,
})
