import { type Static, Type } from '@sinclair/typebox'
import { described, Id, message, Nullable, Time } from '../schema.ts'
import { passwordLength } from '../users/index.ts'

const Role = Type.Union([Type.Literal('owner'), Type.Literal('agent')], {
  description:
    '`owner` manages everything; `agent` reads what the team works with, answers conversations and marks sales.',
  ...message('Must be "owner" or "agent".'),
})

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  ...message('Must be a text of 1 to 100 characters.'),
})

export const InviteMember = Type.Object(
  {
    email: Type.String({
      maxLength: 320,
      pattern: '^[^\\s@]+@[^\\s@]+$',
      description: 'However its letters are cased, an address is in a team once.',
      ...message('Must be an e-mail address such as ana@example.com.'),
    }),
    role: Role,
    name: Type.Optional(described(Name, 'What the person is called, as the invitation says.')),
  },
  { additionalProperties: false, $id: 'InviteMember' },
)
export type InviteMember = Static<typeof InviteMember>

export const ChangeMember = Type.Object({ role: Role }, { additionalProperties: false, $id: 'ChangeMember' })
export type ChangeMember = Static<typeof ChangeMember>

export const Member = Type.Object(
  {
    id: described(Id, 'The member.'),
    userId: Nullable(
      Type.String({
        format: 'uuid',
        description:
          'Whom `assigneeId` of a conversation and `sentBy` of a message name; null for an invitation that nobody has accepted yet.',
      }),
    ),
    email: described(Type.String(), 'With which the person signs in.'),
    name: Nullable(Type.String({ description: 'Null for an invitation that gave none.' })),
    role: Role,
    status: described(
      Type.Union([Type.Literal('active'), Type.Literal('invited')]),
      '`invited` until the invitation is accepted.',
    ),
    invitedAt: Type.Union([Time, Type.Null()], { description: 'Null for whom nobody invited: the first owner.' }),
    joinedAt: described(Nullable(Time), 'When the invitation was accepted; null until then.'),
  },
  { $id: 'Member' },
)
export type Member = Static<typeof Member>

export const InvitedMember = Type.Object(
  {
    ...Member.properties,
    invitation: Type.Object(
      {
        url: Nullable(
          Type.String({
            format: 'uri',
            description: 'The link for the person invited; null where it is mailed to them.',
          }),
        ),
        token: Nullable(
          Type.String({ description: 'For `POST /v1/auth/accept-invitation`; the link carries the same.' }),
        ),
        mailed: Type.Boolean({ description: 'The link goes to the address invited, and nobody else is shown it.' }),
        expiresAt: described(Time, 'Until when it is good.'),
      },
      { description: 'Shown only in this answer; good for one use.' },
    ),
  },
  { $id: 'InvitedMember' },
)
export type InvitedMember = Static<typeof InvitedMember>

export const AcceptInvitation = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'From the invitation link.',
      ...message('Must be the token of the invitation link: what stands behind #token=.'),
    }),
    name: Type.Optional(
      Type.String({
        ...Name,
        description:
          'What the new account is called; without it, as the invitation says, else what stands before the @. An existing account keeps its name.',
      }),
    ),
    password: Type.Optional(
      Type.String({
        // Older accounts had a minimum of 10 characters.
        minLength: 10,
        maxLength: 1000,
        description:
          'Of the new account: 12 to 1,000 characters, not among the most common passwords. Where the address has an account already, the password of that account; left out by whoever is signed in to it.',
        ...message(passwordLength),
      }),
    ),
  },
  { additionalProperties: false, $id: 'AcceptInvitation' },
)
export type AcceptInvitation = Static<typeof AcceptInvitation>
