import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Time, withDescription } from '../../core/schema.ts'

const usageFields = {
  limit: Nullable(Type.Integer({ description: 'Maximum number. Null: no limit.' })),
  used: Type.Integer({ description: 'Current number. It can exceed the limit after a change to a smaller plan.' }),
}

const Usage = Type.Object(usageFields)

export const Entitlements = Type.Object(
  {
    plan: Type.Object(
      {
        id: withDescription(Type.String(), 'ID of the plan, for example `growth`.'),
        name: withDescription(Type.String(), 'Display name of the plan.'),
      },
      { description: 'Plan of the workspace.' },
    ),
    features: Type.Object(
      {
        api: withDescription(Type.Boolean(), 'Whether API keys are included.'),
        webhooks: withDescription(Type.Boolean(), 'Whether webhook endpoints are included.'),
        workflows: withDescription(Type.Boolean(), 'Whether workflows of any kind are included.'),
        campaigns: withDescription(Type.Boolean(), 'Whether campaigns are included.'),
        ai: withDescription(Type.Boolean(), 'Reserved. Not used by any operation.'),
      },
      {
        description:
          'Features of the plan. A call that requires a missing feature returns 403 `feature_not_available`.',
      },
    ),
    allowances: Type.Object(
      {
        activeWorkflows: withDescription(Usage, 'Number of workflows that are switched on.'),
        teamSeats: withDescription(Usage, 'Number of members and invitations.'),
        connectedNumbers: withDescription(Usage, 'Number of channels that are not disconnected.'),
        templates: withDescription(Usage, 'Number of templates.'),
        monthlyEvents: Type.Object(
          { ...usageFields, resetsAt: withDescription(Time, 'Start of the next month, when `used` is reset to 0.') },
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
