import { type Static, Type } from '@sinclair/typebox'
import { errorMessage, Id, Nullable, rangeQuery, Time, withDescription } from '../../core/schema.ts'

/** Actions of the operator on the command line. They have no operation in the API. */
export const operatorActions = [
  'createWorkspace',
  'changePlan',
  'makeResetLink',
  'makeSignInLink',
  'disableUser',
  'enableUser',
  'allowPasswords',
  'releaseRestored',
  'pauseWork',
  'resumeWork',
  'importWorkspace',
  'moveWorkspace',
  'deleteWorkspace',
] as const

/** Names of audit actions. Actions of the API have the name of their operation. */
export const auditActions = [
  'signIn',
  'signInFailed',
  'signOut',
  'acceptInvitation',
  'signInWithCode',
  'signInByLink',
  'signInWithSso',
  'linkIdentity',
  'confirmIdentity',
  'unlinkIdentity',
  'endSsoSessions',
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
  'createAccessToken',
  'revokeAccessToken',
  'createMemberToken',
  'revokeMemberToken',
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
  'addServiceAccount',
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
  'testCampaign',
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
const auditTargetTypes = [
  'user',
  'api_key',
  'access_token',
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

const actionMessage = errorMessage(
  'Must be the name of an action in the audit log, such as issueApiKey, signIn or signInFailed.',
)

const AuditAction = Type.Unsafe<AuditAction>(
  Type.Union(actions, {
    $id: 'AuditAction',
    description:
      'Name of the operation. `signInFailed`: `signIn` or `acceptInvitation` with a wrong password. `addServiceAccount`: `inviteMember` with the kind `service`. `createWorkspace`, `changePlan`, `makeResetLink`, `makeSignInLink`, `disableUser`, `enableUser`, `allowPasswords`, `releaseRestored`, `pauseWork`, `resumeWork`, `importWorkspace`, `moveWorkspace` and `deleteWorkspace` are commands of the operator. Later versions can add values.',
    ...actionMessage,
  }),
)

const AuditVia = Type.Object(
  {
    type: Type.Literal('token', { description: 'An access token.' }),
    id: withDescription(Id, 'ID of the access token. The token can be revoked.'),
    name: Type.String({ description: 'Name of the access token at that time.' }),
  },
  { $id: 'AuditVia', description: 'Access token with which the actor made the call. Null without one.' },
)

export const AuditEntry = Type.Object(
  {
    id: withDescription(Id, 'ID of the entry.'),
    at: withDescription(Time, 'Time of the action.'),
    actor: Type.Object(
      {
        type: Type.Union(
          [Type.Literal('user'), Type.Literal('api_key'), Type.Literal('operator'), Type.Literal('unknown')],
          {
            description:
              '`operator`: the person who runs the service, on the command line. `unknown`: a caller who did not authenticate, for example with a wrong password.',
          },
        ),
        id: Type.Union([Id, Type.Null()], {
          description: 'ID of the person or key. Null for `operator` and `unknown`.',
        }),
        name: Nullable(
          Type.String({
            description:
              'Current name of the person or key. Null for `operator` and `unknown`, and after the account is deleted.',
          }),
        ),
      },
      { description: 'Person, key or operator who performed the action.' },
    ),
    action: AuditAction,
    target: Type.Object(
      {
        type: Type.Unsafe<AuditTargetType>(
          Type.Union(
            auditTargetTypes.map(type => Type.Literal(type)),
            { description: 'Type of the record. Later versions can add values.' },
          ),
        ),
        id: withDescription(Id, 'ID of the record.'),
      },
      { description: 'Record that was changed.' },
    ),
    detail: Type.Record(
      Type.String(),
      // Published as `not: object` instead of these types. Some client generators cannot compile a list in a union.
      Type.Unsafe<string | number | boolean | null | string[]>({
        not: { type: 'object' },
        description:
          'A string, number, boolean, list of strings or null. For example, `changed` lists the fields that were given.',
      }),
      {
        description:
          'Details of the action, with the names at that time. Contains no secrets and no customer data. `emailHash` is the SHA-256, in hex, of a lowercase e-mail address.',
      },
    ),
    address: Nullable(Type.String({ description: 'Network address of the request. Null if unknown.' })),
    requestId: Nullable(
      Type.String({
        format: 'uuid',
        description: '`X-Request-Id` of the response. Null for actions outside of HTTP requests.',
      }),
    ),
    via: Nullable(AuditVia),
  },
  { $id: 'AuditEntry', description: 'An action: who changed which record, when, and from which address.' },
)
export type AuditEntry = Static<typeof AuditEntry>

const idMessage = errorMessage('Must be the id of a record: a UUID.')

export const AuditQuery = Type.Object({
  ...rangeQuery('logged').properties,
  actorId: Type.Optional(
    Type.String({ format: 'uuid', description: 'Only actions of this person or key.', ...idMessage }),
  ),
  action: Type.Optional(
    Type.Unsafe<AuditAction>(Type.Union(actions, { description: 'Only actions of this operation.', ...actionMessage })),
  ),
  targetId: Type.Optional(Type.String({ format: 'uuid', description: 'Only actions on this record.', ...idMessage })),
})
export type AuditQuery = Static<typeof AuditQuery>
