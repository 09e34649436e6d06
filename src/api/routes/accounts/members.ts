import {
  ChangeMember,
  changeMember,
  createMemberToken,
  InvitedMember,
  InviteMember,
  inviteMember,
  listMembers,
  listMemberTokens,
  Member,
  removeMember,
  revokeMemberToken,
} from '../../../accounts/members/index.ts'
import { AccessToken, CreatedAccessToken, CreateMemberToken } from '../../../accounts/tokens/index.ts'
import { linkTo } from '../../../core/links.ts'
import { Page, PageQuery } from '../../../core/schema.ts'
import { unassignConversations } from '../../../messaging/messages/index.ts'
import { type Operation, operation } from '../../operation.ts'
import { exampleToken as exampleAccessToken } from './tokens.ts'

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
    summary: 'Invite a person, or add a service account',
    description:
      'Creates an invitation link that works once and expires after 7 days. If mail is configured, the link is sent only to the invited address. If mail is not configured, only this response contains the link, and you must pass it on. Inviting an address with an expired invitation replaces that invitation.\n\nWith mail, all workspaces together can invite an address 3 times a day. A workspace can send 50 invitations a day. Calls over these limits get 429.\n\nWith `kind: "service"`, adds a service account for programs instead: a member without e-mail address, password and second factor. Its only credentials are access tokens that owners create. It takes no seat. A workspace can have 10 (422).',
    body: InviteMember,
    examples: {
      person: {
        summary: 'A person',
        value: { email: 'ben@example.com', role: 'agent', name: 'Ben Agent' },
      },
      service: { summary: 'A service account', value: { kind: 'service', name: 'Terraform', role: 'owner' } },
    },
    answers: {
      201: {
        description: 'The invitation, which uses a team seat, or the service account.',
        schema: InvitedMember,
        example: {
          ...example(),
          userId: null,
          status: 'invited',
          joinedAt: null,
          secondFactor: null,
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
      unprocessable: 'the workspace already has 10 service accounts.',
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
      'Removes the member from the workspace. Their sessions lose access to the workspace immediately, but their account stays. Their access tokens for the workspace end. A service account is deleted. An unused invitation link stops working. The last owner cannot be removed.',
    answers: { 204: { description: 'The member or the invitation is removed.' } },
    errors: {
      unprocessable: 'the last owner of a workspace cannot be removed.',
    },
    args: ({ params }) => [params.id!, unassignConversations],
  }),
  operation({
    method: 'POST',
    path: '/v1/members/:id/tokens',
    id: 'createMemberToken',
    verb: createMemberToken,
    tag,
    summary: 'Create an access token of a service account',
    description:
      'Creates a token that acts with the role of the service account. Only this response contains it. A service account can have at most 20 tokens that have not expired (422). Returns 404 for a person.',
    body: CreateMemberToken,
    example: { name: 'production', access: 'write', expiresInDays: 90 },
    answers: {
      201: {
        description: 'The new token.',
        schema: CreatedAccessToken,
        example: { ...exampleAccessToken(), token: 'cest_Y2FyZWZ1bGx5IGNob3NlbiBieXRlcyBmb3IgYW4gZXg' },
      },
    },
    errors: { unprocessable: 'the service account already has 20 tokens that have not expired.' },
    args: ({ params, body }) => [params.id!, body],
  }),
  operation({
    method: 'GET',
    path: '/v1/members/:id/tokens',
    id: 'listMemberTokens',
    verb: listMemberTokens,
    tag,
    summary: 'List the access tokens of a service account',
    description: 'Returns tokens, newest first. Expired tokens are listed for 30 days. Returns 404 for a person.',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page of tokens.',
        schema: Page(AccessToken),
        example: { data: [exampleAccessToken()], nextCursor: null },
      },
    },
    args: ({ params, query }) => [params.id!, query],
  }),
  operation({
    method: 'DELETE',
    path: '/v1/members/:id/tokens/:tokenId',
    id: 'revokeMemberToken',
    verb: revokeMemberToken,
    tag,
    summary: 'Revoke an access token of a service account',
    description: 'Revokes the token immediately and everywhere.',
    answers: { 204: { description: 'The token is revoked.' } },
    args: ({ params }) => [params.id!, params.tokenId!],
  }),
]

const exampleToken = 'inv_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw'

function example(): Member {
  return {
    id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b03',
    userId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b04',
    kind: 'person',
    email: 'ben@example.com',
    name: 'Ben Agent',
    role: 'agent',
    status: 'active',
    invitedAt: '2026-03-01T09:30:00.000Z',
    joinedAt: '2026-03-01T10:00:00.000Z',
    secondFactor: true,
  }
}
