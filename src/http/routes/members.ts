import { linkTo } from '../../domain/links.ts'
import {
  ChangeMember,
  changeMember,
  InvitedMember,
  InviteMember,
  inviteMember,
  listMembers,
  Member,
  removeMember,
} from '../../domain/members/index.ts'
import { Page, PageQuery } from '../../domain/schema.ts'
import { type Operation, operation } from '../operation.ts'

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
    summary: 'Invite somebody to the team',
    description:
      'Where mail is set up, the link is mailed to the address, and nobody else is shown it. Where it is not, it is in this answer and in no other: pass it on. It is good for 7 days and one use. Inviting an address whose invitation has expired replaces it. Where mail is set up, an address can be invited three times within a day by all workspaces together, and a workspace can send 50 invitations within a day: 429 beyond that.',
    body: InviteMember,
    example: { email: 'ben@example.com', role: 'agent', name: 'Ben Agent' },
    answers: {
      201: {
        description: 'The invitation, which takes a team seat.',
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
      conflict: 'somebody with this address is in the team or invited already.',
    },
    given: ({ body }) => [
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
    summary: 'List the team',
    description: 'Newest first; pending invitations are among them.',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page of members.',
        schema: Page(Member),
        example: { data: [example()], nextCursor: null },
      },
    },
    given: ({ query }) => [query],
  }),
  operation({
    method: 'PATCH',
    path: '/v1/members/:id',
    id: 'changeMember',
    verb: changeMember,
    tag,
    summary: 'Change the role of a member',
    description: 'From the next request on; of an invitation, once it is accepted. The last owner stays owner.',
    body: ChangeMember,
    example: { role: 'owner' },
    answers: {
      200: { description: 'The member as it is now.', schema: Member, example: { ...example(), role: 'owner' } },
    },
    errors: {
      unprocessable: 'the last owner of a workspace stays one.',
    },
    given: ({ params, body }) => [params.id!, body],
  }),
  operation({
    method: 'DELETE',
    path: '/v1/members/:id',
    id: 'removeMember',
    verb: removeMember,
    tag,
    summary: 'Remove a member or an invitation',
    description:
      'Their sessions no longer reach this workspace, at once; their account stays. A link that was not used is void. The last owner cannot leave.',
    answers: { 204: { description: 'They are not in the team any more.' } },
    errors: {
      unprocessable: 'the last owner of a workspace cannot leave.',
    },
    given: ({ params }) => [params.id!],
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
