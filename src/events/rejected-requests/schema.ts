import { type Static, Type } from '@sinclair/typebox'
import { errorCodes } from '../../core/errors.ts'
import { errorMessage, Id, literals, Nullable, rangeQuery, Time, withDescription } from '../../core/schema.ts'

export const NotAccepted = Type.Object(
  {
    id: withDescription(Id, 'ID of the entry.'),
    problemId: Type.String({
      description:
        'ID of the problem. Entries with equal sender, API key, path, status, code, message and details have the same ID.',
    }),
    firstAt: withDescription(Time, 'Time of the first rejected request.'),
    lastAt: withDescription(Time, 'Time of the newest rejected request.'),
    count: Type.Integer({ minimum: 1, description: 'Number of rejected requests from `firstAt` to `lastAt`.' }),
    sender: Type.String({ description: 'Store plugin detected from the User-Agent. Otherwise `custom`.' }),
    apiKeyId: withDescription(Nullable(Id), 'ID of the API key of the sender. Null for a person and for a callback.'),
    method: withDescription(Type.String(), 'HTTP method of the request, for example `POST`.'),
    path: withDescription(Type.String(), 'Path of the request.'),
    status: Type.Integer({
      description: 'HTTP status of the response. `code`, `message` and `details` are also those of the response.',
    }),
    code: Type.Unsafe<string>(withDescription(literals(errorCodes), 'Error code, for programs, as in any error.')),
    message: Type.String({ description: 'Exact error message that the sender received. For a warning: the problem.' }),
    details: withDescription(
      Nullable(Type.Record(Type.String(), Type.String())),
      'Path of each invalid field, with the reason. Null if there are none.',
    ),
    requestId: Type.String({ description: '`request_id` of the newest rejected request.' }),
    severity: Type.Union([Type.Literal('error'), Type.Literal('warning')], {
      description:
        '`error`: the event was rejected. `warning`: the call succeeded, but its idempotency key was used before for a different event, so nothing was recorded.',
    }),
    eventId: withDescription(
      Nullable(Id),
      'For a warning: ID of the event that the key of the newest request belongs to. Null otherwise.',
    ),
    sample: Nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Structure of the event of the newest request, without values, at most 4 KiB. Objects and arrays are kept. Other values are texts such as `string(12)` with the length, `number`, `boolean` and `null`. Only `type` keeps its value. An array has its first three elements. Omitted fields are marked by `…`. Field names that may be personal data are replaced, for example by `name(14)`. Null without an event.',
      }),
    ),
    suggestions: Type.Record(Type.String(), Type.String(), {
      description:
        'Path of each unknown field with the name that the sender probably meant. Empty without suggestions.',
    }),
  },
  {
    $id: 'NotAccepted',
    description:
      'A problem because of which events were rejected. Repeats within 10 minutes of the first are counted in the same entry.',
  },
)
export type NotAccepted = Static<typeof NotAccepted>

/** Query of GET /v1/activity/not-accepted. */
export const RejectedRequestQuery = Type.Object({
  ...rangeQuery('rejected').properties,
  sender: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^[^\\u0000]*$',
      description: 'Only entries of this store plugin, of your own code (`custom`), or of this kind of channel.',
      ...errorMessage('Must be the sender of an entry, for example custom.'),
    }),
  ),
  apiKeyId: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Only entries of this API key.',
      ...errorMessage('Must be a UUID.'),
    }),
  ),
  code: Type.Optional(Type.Unsafe<string>(withDescription(literals(errorCodes), 'Only entries with this error code.'))),
  message: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4001,
      pattern: '^[^\\u0000]*$',
      description: 'Only entries with exactly this error message, of all senders.',
      ...errorMessage('Must be the message of an entry, with 1 to 4001 characters.'),
    }),
  ),
})
export type RejectedRequestQuery = Static<typeof RejectedRequestQuery>
