import {
  ChangeMember,
  changeMember,
  InvitedMember,
  InviteMember,
  inviteMember,
  listMembers,
  Member,
  removeMember,
} from '../../../accounts/members/index.ts'
import { linkTo } from '../../../core/links.ts'
import { Page, PageQuery } from '../../../core/schema.ts'
import { unassignConversations } from '../../../messaging/messages/index.ts'
import { type Operation, operation } from '../../operation.ts'

const tag = 'Team'

export interface MemberRouteDeps {
  /** Returns the base URL that people use, without a trailing slash. */
  publicUrl: () => string
  /** True if e-mail is configured. Invitations are then sent by e-mail. */
  byMail: boolean
  /** Maximum number of invitation e-mails per workspace and day. Null means no limit. */
  invitationsPerDay: number | null
}

export const memberRoutes = ({ publicUrl, byMail, invitationsPerDay }: MemberRouteDeps): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/members',
    id: 'inviteMember',
    verb: inviteMember,
    tag,
    summary: 'Invite a person to the team',
    description:
      'Creates an invitation link that works once and expires after 7 days. If mail is configured, the link is sent only to the invited address. If mail is not configured, only this response contains the link, and you must pass it on. Inviting an address with an expired invitation replaces that invitation.\n\nWith mail, all workspaces together can invite an address 3 times a day. A workspace can send 50 invitations a day. Calls over these limits get 429.',
    body: InviteMember,
    example: { email: 'ben@example.com', role: 'agent', name: 'Ben Agent' },
    answers: {
      201: {
        description: 'The invitation, which uses a team seat.',
        schema: InvitedMember,
        example: {
          ...example(),
          userId: null,
          status: 'invited',
          joinedAt: null,
          invitation: {
            url: `https://engage.example.com/accept-invitation#token=${exampleToken}`,
            token: exampleToken,
            mailed: false,
            expiresAt: '2026-03-08T09:30:00.000Z',
          },
        },
      },
    },
    allowance: 'teamSeats',
    errors: {
      conflict: 'a person with this address is already in the team or invited.',
    },
    args: ({ body }) => [
      body,
      { byMail, linkTo: token => linkTo(publicUrl(), 'invitation', token), perDay: invitationsPerDay },
    ],
  }),
  operation({
    method: 'GET',
    path: '/v1/members',
    id: 'listMembers',
    verb: listMembers,
    tag,
    summary: 'List team members',
    description: 'Returns members and pending invitations, newest first.',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page of members.',
        schema: Page(Member),
        example: { data: [example()], nextCursor: null },
      },
    },
    args: ({ query }) => [query],
  }),
  operation({
    method: 'PATCH',
    path: '/v1/members/:id',
    id: 'changeMember',
    verb: changeMember,
    tag,
    summary: 'Change the role of a member',
    description:
      'Changes the role from the next request of the member. For an invitation, the role applies when it is accepted. The last owner must stay an owner.',
    body: ChangeMember,
    example: { role: 'owner' },
    answers: {
      200: { description: 'The member after the change.', schema: Member, example: { ...example(), role: 'owner' } },
    },
    errors: {
      unprocessable: 'the last owner of a workspace must stay an owner.',
    },
    args: ({ params, body }) => [params.id!, body],
  }),
  operation({
    method: 'DELETE',
    path: '/v1/members/:id',
    id: 'removeMember',
    verb: removeMember,
    tag,
    summary: 'Remove a member or an invitation',
    description:
      'Removes the member from the workspace. Their sessions lose access to the workspace immediately, but their account stays. An unused invitation link stops working. The last owner cannot be removed.',
    answers: { 204: { description: 'The member or the invitation is removed.' } },
    errors: {
      unprocessable: 'the last owner of a workspace cannot be removed.',
    },
    args: ({ params }) => [params.id!, unassignConversations],
  }),
]

const exampleToken = 'inv_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw'

function example(): Member {
  return {
    id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b03',
    userId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b04',
    email: 'ben@example.com',
    name: 'Ben Agent',
    role: 'agent',
    status: 'active',
    invitedAt: '2026-03-01T09:30:00.000Z',
    joinedAt: '2026-03-01T10:00:00.000Z',
  }
}
