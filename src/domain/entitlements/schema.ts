import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Time } from '../schema.ts'

const counted = {
  limit: Nullable(Type.Integer({ description: 'The most there may be; null = without limit.' })),
  used: Type.Integer({ description: 'How many there are; more than the limit after a change to a smaller plan.' }),
}

const Counted = Type.Object(counted)

export const Entitlements = Type.Object(
  {
    plan: Type.Object({ id: Type.String(), name: Type.String() }),
    features: Type.Object({
      api: Type.Boolean(),
      webhooks: Type.Boolean(),
      workflows: Type.Boolean(),
      campaigns: Type.Boolean(),
      ai: Type.Boolean(),
    }),
    allowances: Type.Object({
      activeWorkflows: Counted,
      teamSeats: Counted,
      connectedNumbers: Counted,
      templates: Counted,
      monthlyEvents: Type.Object({ ...counted, resetsAt: Time }),
    }),
  },
  {
    $id: 'Entitlements',
    description: 'What the plan includes. An allowance that is full answers 409 plan_limit_reached.',
  },
)
export type Entitlements = Static<typeof Entitlements>
