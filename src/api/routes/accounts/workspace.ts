import { ChangeWorkspace, changeWorkspace, readWorkspace, Workspace } from '../../../accounts/workspaces/index.ts'
import { type Operation, operation } from '../../operation.ts'

const tag = 'Workspace'

export const workspaceRoutes = (): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/workspace',
    id: 'readWorkspace',
    verb: readWorkspace,
    tag,
    summary: 'Read the workspace',
    answers: { 200: { description: 'The workspace of the caller.', schema: Workspace, example } },
    args: () => [],
  }),
  operation({
    method: 'PATCH',
    path: '/v1/workspace',
    id: 'changeWorkspace',
    verb: changeWorkspace,
    tag,
    summary: 'Change the workspace',
    body: ChangeWorkspace,
    example: { timezone: 'Europe/Berlin' },
    answers: { 200: { description: 'The workspace after the change.', schema: Workspace, example } },
    errors: {
      unprocessable:
        '`requireSecondFactor` would lock you out, because you have no second factor. Or `requireSso` would, because your session did not begin with single sign-on.',
    },
    args: ({ body }) => [body],
  }),
]

const example: Workspace = {
  id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e00',
  name: 'Shop',
  timezone: 'Europe/Berlin',
  requireSecondFactor: false,
  requireSso: false,
  createdAt: '2026-03-01T09:30:00.000Z',
}
