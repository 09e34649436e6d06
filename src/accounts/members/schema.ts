import { type Static, Type } from '@sinclair/typebox'
import { errorMessage, Id, literals, Nullable, publishedKeywords, Time, withDescription } from '../../core/schema.ts'
import { passwordLengthMessage } from '../users/index.ts'

const Role = Type.Union([Type.Literal('owner'), Type.Literal('agent')], {
  description:
    '`owner`: manages everything. `agent`: reads what the team works with, answers conversations and marks sales.',
  ...errorMessage('Must be "owner" or "agent".'),
})

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  ...errorMessage('Must be a text of 1 to 100 characters.'),
})

const MemberKind = literals(['person', 'service'], {
  $id: 'MemberKind',
  description:
    '`person`: signs in. `service`: a service account for programs, without e-mail address and password, whose only credentials are access tokens.',
  ...errorMessage('Must be "person" or "service".'),
})

export const InviteMember = Type.Object(
  {
    kind: Type.Optional(MemberKind),
    email: Type.Optional(
      Type.String({
        maxLength: 320,
        pattern: '^[^\\s@]+@[^\\s@]+$',
        description:
          'E-mail address. It must be unique in the team, regardless of case. Required for a person. A service account has none.',
        ...errorMessage('Must be an e-mail address such as ana@example.com.'),
      }),
    ),
    role: Role,
    name: Type.Optional(
      withDescription(
        Name,
        'Name of the person for the invitation, or of the service account. Required for the latter.',
      ),
    ),
  },
  {
    additionalProperties: false,
    $id: 'InviteMember',
    ...publishedKeywords({ if: { not: { required: ['email'] } }, then: { required: ['kind', 'name'] } }),
  },
)
export type InviteMember = Static<typeof InviteMember>

export const ChangeMember = Type.Object({ role: Role }, { additionalProperties: false, $id: 'ChangeMember' })
export type ChangeMember = Static<typeof ChangeMember>

export const Member = Type.Object(
  {
    id: withDescription(Id, 'ID of the member.'),
    userId: Nullable(
      Type.String({
        format: 'uuid',
        description:
          'ID of the user, as in `assigneeId` of a conversation and `sentBy` of a message. Null until the invitation is accepted.',
      }),
    ),
    kind: MemberKind,
    email: Nullable(Type.String({ description: 'E-mail address for sign-in. Null for a service account.' })),
    name: Nullable(Type.String({ description: 'Name of the person. Null if the invitation had no name.' })),
    role: Role,
    status: withDescription(
      Type.Union([Type.Literal('active'), Type.Literal('invited')]),
      '`invited` until the invitation is accepted.',
    ),
    invitedAt: Type.Union([Time, Type.Null()], {
      description: 'Time of the invitation. Null for the first owner, who was not invited.',
    }),
    joinedAt: withDescription(Nullable(Time), 'Time when the invitation was accepted. Null before that.'),
    secondFactor: Nullable(
      Type.Boolean({
        description:
          'Whether the person has a second factor. Null for an invitation and a service account, and if the reader is not an owner.',
      }),
    ),
  },
  { $id: 'Member' },
)
export type Member = Static<typeof Member>

const Invitation = Type.Object(
  {
    url: Nullable(
      Type.String({
        format: 'uri',
        description: 'Invitation link for the person. Null if it is sent by e-mail.',
      }),
    ),
    token: Nullable(
      Type.String({
        description: 'Token for `POST /v1/auth/accept-invitation`, as in the link. Null if it is sent by e-mail.',
      }),
    ),
    mailed: Type.Boolean({
      description: 'Whether the link is sent to the invited address. If true, it is not shown to anybody else.',
    }),
    expiresAt: withDescription(Time, 'Time when the invitation expires.'),
  },
  {
    $id: 'Invitation',
    description:
      'Invitation link. Only returned in this response, and valid for one use. Null for a service account, which needs none.',
  },
)

export const InvitedMember = Type.Object(
  { ...Member.properties, invitation: Nullable(Invitation) },
  { $id: 'InvitedMember' },
)
export type InvitedMember = Static<typeof InvitedMember>

export const AcceptInvitation = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Token from the invitation link.',
      ...errorMessage('Must be the token of the invitation link, which follows #token= in its URL.'),
    }),
    name: Type.Optional(
      Type.String({
        ...Name,
        description:
          'Name for the new account. Defaults to the name in the invitation, then to the part of the address before the @. An existing account keeps its name.',
      }),
    ),
    password: Type.Optional(
      Type.String({
        // Older accounts had a minimum of 10 characters.
        minLength: 10,
        maxLength: 1000,
        description:
          'Password for the new account: 12 to 1,000 characters, not among the most common passwords. If the address already has an account: its password. Omit it if you are signed in to that account.',
        ...errorMessage(passwordLengthMessage),
      }),
    ),
  },
  { additionalProperties: false, $id: 'AcceptInvitation' },
)
export type AcceptInvitation = Static<typeof AcceptInvitation>
