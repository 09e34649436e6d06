import { type Static, Type } from '@sinclair/typebox'
import { described, Nullable, Time } from '../schema.ts'

const counted = {
  limit: Nullable(Type.Integer({ description: 'The most there may be; null = without limit.' })),
  used: Type.Integer({ description: 'How many there are; more than the limit after a change to a smaller plan.' }),
}

const Counted = Type.Object(counted)

export const Entitlements = Type.Object(
  {
    plan: Type.Object(
      { id: described(Type.String(), 'Such as `growth`.'), name: described(Type.String(), 'For people.') },
      { description: 'The plan that the workspace is on.' },
    ),
    features: Type.Object(
      {
        api: described(Type.Boolean(), 'API keys.'),
        webhooks: described(Type.Boolean(), 'Webhook endpoints.'),
        workflows: described(Type.Boolean(), 'Workflows of any kind.'),
        campaigns: described(Type.Boolean(), 'Campaigns.'),
        ai: described(Type.Boolean(), 'Nothing asks for it yet.'),
      },
      { description: 'What it includes at all; without it calls are 403 `feature_not_available`.' },
    ),
    allowances: Type.Object(
      {
        activeWorkflows: described(Counted, 'Workflows that are switched on.'),
        teamSeats: described(Counted, 'Members and invitations.'),
        connectedNumbers: described(Counted, 'Channels that are not disconnected.'),
        templates: described(Counted, 'Templates.'),
        monthlyEvents: Type.Object(
          { ...counted, resetsAt: described(Time, 'When the next month begins, and `used` is 0 again.') },
          { description: 'Events recorded in the calendar month, UTC.' },
        ),
      },
      { description: 'Of what there may be so many.' },
    ),
  },
  {
    $id: 'Entitlements',
    description: 'What the plan includes. An allowance that is full answers 409 plan_limit_reached.',
  },
)
export type Entitlements = Static<typeof Entitlements>
