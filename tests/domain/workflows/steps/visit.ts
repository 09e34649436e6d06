/** A customer who comes to a step. */

import { Budget } from '../../../../src/domain/workflows/evaluate.ts'
import type { RunFacts } from '../../../../src/domain/workflows/facts.ts'
import type { Visit } from '../../../../src/domain/workflows/steps/index.ts'

export const noon = new Date('2026-03-01T12:00:00.000Z')

/** What a run sees; `other` takes the place of what is usual. */
export const facts = (other: Partial<RunFacts> = {}): RunFacts => ({
  data: { total: 120 },
  event: { id: 'e', type: 'order.created' },
  customer: { id: 'c', name: 'Ana', phone: '+4915112345678', externalId: null, attributes: {} },
  channelIds: ['first', 'second'],
  ...other,
})

export const visit = (other: Partial<RunFacts> = {}): Visit => ({
  facts: facts(other),
  budget: new Budget(),
  waitsFrom: noon,
})
