import { type Static, Type } from '@sinclair/typebox'
import { described, Id, message, Nullable, PageQuery, Time } from '../schema.ts'

/** Actions of the operator on the command line. They have no operation in the API. */
export const operatorActions = [
  'createWorkspace',
  'changePlan',
  'makeResetLink',
  'makeSignInLink',
  'disableUser',
  'enableUser',
] as const

/** Names of audit actions. Actions of the API have the name of their operation. */
export const auditActions = [
  'signIn',
  'signInFailed',
  'signOut',
  'acceptInvitation',
  'signInWithCode',
  'signInByLink',
  'endSession',
  'endOtherSessions',
  'changePassword',
  'resetPassword',
  'confirmEmail',
  'changeUser',
  'deleteUser',
  'confirmTotp',
  'removeTotp',
  'renewRecoveryCodes',
  'issueApiKey',
  'revokeApiKey',
  'createWebhook',
  'changeWebhook',
  'deleteWebhook',
  'rotateWebhookSecret',
  'holdWebhook',
  'releaseWebhook',
  'testWebhook',
  'retryDelivery',
  'sendOutboundEvent',
  'startRecovery',
  'cancelRecovery',
  'inviteMember',
  'changeMember',
  'removeMember',
  'changeWorkspace',
  'connectChannel',
  'changeChannel',
  'disconnectChannel',
  'createWorkflow',
  'changeWorkflow',
  'publishWorkflow',
  'deleteWorkflow',
  'stopRun',
  'createTemplate',
  'changeTemplate',
  'deleteTemplate',
  'createCampaign',
  'changeCampaign',
  'deleteCampaign',
  'startCampaign',
  'pauseCampaign',
  'resumeCampaign',
  'cancelCampaign',
  'replaceOptOutWords',
  'liftOptOut',
  'decideOptOut',
  'eraseCustomer',
  'voidSale',
  'testChannel',
  ...operatorActions,
] as const
export type AuditAction = (typeof auditActions)[number]

/** Types of resources that an action can change. */
export const auditTargetTypes = [
  'user',
  'api_key',
  'webhook',
  'delivery',
  'recovery',
  'member',
  'workspace',
  'channel',
  'workflow',
  'run',
  'template',
  'campaign',
  'customer',
  'sale',
  'conversation',
] as const
export type AuditTargetType = (typeof auditTargetTypes)[number]

const actions = auditActions.map(action => Type.Literal(action))

const actionWanted = message(
  'Must be the name of an operation that the audit log tells of, such as issueApiKey, or signIn or signInFailed.',
)

const AuditAction = Type.Unsafe<AuditAction>(
  Type.Union(actions, {
    $id: 'AuditAction',
    description:
      'What was done, named as the operation that does it; `signInFailed` is a `signIn`, or an `acceptInvitation`, with a wrong password; `createWorkspace`, `changePlan`, `makeResetLink`, `makeSignInLink`, `disableUser` and `enableUser` are commands of the operator. Later versions know more.',
    ...actionWanted,
  }),
)

export const AuditEntry = Type.Object(
  {
    id: described(Id, 'The entry.'),
    at: described(Time, 'When it was done.'),
    actor: Type.Object(
      {
        type: Type.Union(
          [Type.Literal('user'), Type.Literal('api_key'), Type.Literal('operator'), Type.Literal('unknown')],
          {
            description:
              '`operator`: whoever runs the service, on the command line. `unknown`: somebody who did not show who they are, as with a wrong password.',
          },
        ),
        id: Type.Union([Id, Type.Null()], {
          description: 'Of the person or the key; null for `operator` and `unknown`.',
        }),
        name: Nullable(
          Type.String({
            description: 'What they are called today; null for `operator` and `unknown`, and once the account is gone.',
          }),
        ),
      },
      { description: 'Who did it.' },
    ),
    action: AuditAction,
    target: Type.Object(
      {
        type: Type.Unsafe<AuditTargetType>(
          Type.Union(
            auditTargetTypes.map(type => Type.Literal(type)),
            { description: 'The kind of record. Later versions know more.' },
          ),
        ),
        id: described(Id, 'That record.'),
      },
      { description: 'What it was done to.' },
    ),
    detail: Type.Record(
      Type.String(),
      // Published as `not: object` instead of these types. Some client generators cannot compile a list in a union.
      Type.Unsafe<string | number | boolean | null | string[]>({
        not: { type: 'object' },
        description:
          'A text, a number, true or false; a list of texts such as `changed`, the fields that were given; or null.',
      }),
      {
        description:
          'A few words about it, as things were called then. Holds no secret, and nothing of a customer. `emailHash` is the SHA-256, in hex, of an e-mail address in small letters.',
      },
    ),
    address: Nullable(Type.String({ description: 'The network address that the request came from.' })),
    requestId: Nullable(Type.String({ format: 'uuid', description: 'The `X-Request-Id` of its answer.' })),
  },
  { $id: 'AuditEntry', description: 'Who did what to which record, when, and from which address.' },
)
export type AuditEntry = Static<typeof AuditEntry>

const idWanted = message('Must be the id of a record: a UUID.')

export const AuditQuery = Type.Object({
  ...PageQuery.properties,
  actorId: Type.Optional(
    Type.String({ format: 'uuid', description: 'What this person or key has done.', ...idWanted }),
  ),
  action: Type.Optional(
    Type.Unsafe<AuditAction>(Type.Union(actions, { description: 'What this operation has done.', ...actionWanted })),
  ),
  targetId: Type.Optional(Type.String({ format: 'uuid', description: 'What was done to this record.', ...idWanted })),
})
export type AuditQuery = Static<typeof AuditQuery>
