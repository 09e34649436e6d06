import { type Static, Type } from '@sinclair/typebox'
import { described, Nullable, Time } from '../schema.ts'

const counted = {
  limit: Nullable(Type.Integer({ description: 'Maximum number. Null: no limit.' })),
  used: Type.Integer({ description: 'Current number. It can exceed the limit after a change to a smaller plan.' }),
}

const Counted = Type.Object(counted)

export const Entitlements = Type.Object(
  {
    plan: Type.Object(
      {
        id: described(Type.String(), 'ID of the plan, for example `growth`.'),
        name: described(Type.String(), 'Display name of the plan.'),
      },
      { description: 'Plan of the workspace.' },
    ),
    features: Type.Object(
      {
        api: described(Type.Boolean(), 'Whether API keys are included.'),
        webhooks: described(Type.Boolean(), 'Whether webhook endpoints are included.'),
        workflows: described(Type.Boolean(), 'Whether workflows of any kind are included.'),
        campaigns: described(Type.Boolean(), 'Whether campaigns are included.'),
        ai: described(Type.Boolean(), 'Reserved. Not used by any operation.'),
      },
      {
        description:
          'Features of the plan. A call that requires a missing feature returns 403 `feature_not_available`.',
      },
    ),
    allowances: Type.Object(
      {
        activeWorkflows: described(Counted, 'Number of workflows that are switched on.'),
        teamSeats: described(Counted, 'Number of members and invitations.'),
        connectedNumbers: described(Counted, 'Number of channels that are not disconnected.'),
        templates: described(Counted, 'Number of templates.'),
        monthlyEvents: Type.Object(
          { ...counted, resetsAt: described(Time, 'Start of the next month, when `used` is reset to 0.') },
          { description: 'Number of events recorded in the calendar month, UTC.' },
        ),
      },
      { description: 'Limits of the plan, with the current usage.' },
    ),
  },
  {
    $id: 'Entitlements',
    description: 'Features and limits of the plan. A call that exceeds an allowance returns 409 `plan_limit_reached`.',
  },
)
export type Entitlements = Static<typeof Entitlements>
