import { Entitlements, readEntitlements } from '../../../accounts/entitlements/index.ts'
import { type Operation, operation } from '../../operation.ts'

export const entitlementRoutes = (): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/entitlements',
    id: 'readEntitlements',
    verb: readEntitlements,
    tag: 'Plan',
    summary: 'Read the plan and its usage',
    description:
      'Returns the features of the plan and the usage of each allowance. Pending invitations use team seats. Monthly events are counted per calendar month in UTC.',
    answers: { 200: { description: 'The plan of the workspace.', schema: Entitlements, example } },
    args: () => [],
  }),
]

const example: Entitlements = {
  plan: { id: 'starter', name: 'Starter' },
  features: { api: true, webhooks: true, workflows: true, campaigns: true, ai: false },
  allowances: {
    activeWorkflows: { limit: 20, used: 4 },
    teamSeats: { limit: 5, used: 2 },
    connectedNumbers: { limit: 2, used: 1 },
    templates: { limit: 50, used: 0 },
    monthlyEvents: { limit: 50000, used: 1234, resetsAt: '2026-04-01T00:00:00.000Z' },
  },
}
