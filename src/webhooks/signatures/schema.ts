import { type Static, Type } from '@sinclair/typebox'
import { errorMessage, Nullable, StringMap, withDescription } from '../../core/schema.ts'
import { problemCodes } from './diagnosis.ts'

/** Maximum body length in characters. Larger than any delivery, so that a changed body can be analyzed. */
const maxBodyLength = 128 * 1024

export const VerifyWebhook = Type.Object(
  {
    secret: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Secret of the endpoint, as your receiver has it. It is not stored or logged.',
      ...errorMessage('Must be the secret, a text of 1 to 500 characters.'),
    }),
    headers: StringMap(
      Type.String({ maxLength: 8192, ...errorMessage('Must be a text of at most 8192 characters.') }),
      {
        maxProperties: 100,
        description: 'Headers of the delivery, or only those that begin with X-Service-. Names are case-insensitive.',
        ...errorMessage('Must be an object of at most 100 header names and their values.'),
      },
    ),
    body: Type.String({
      maxLength: maxBodyLength,
      description: 'Raw body, as received.',
      ...errorMessage(`Must be the raw body as a text of at most ${maxBodyLength} characters.`),
    }),
    at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Time when the delivery was received. Defaults to now.',
        ...errorMessage('Must be a time such as 2026-03-01T09:30:02Z.'),
      }),
    ),
  },
  { additionalProperties: false, $id: 'VerifyWebhook' },
)
export type VerifyWebhook = Static<typeof VerifyWebhook>

export const Verification = Type.Object(
  {
    valid: withDescription(Type.Boolean(), 'Whether a receiver should accept the delivery.'),
    problems: Type.Array(
      Type.Object({
        code: withDescription(Type.Union(problemCodes.map(code => Type.Literal(code))), 'Problem code, for programs.'),
        message: Type.String({ description: 'The problem, and how to solve it.' }),
      }),
      { description: 'Problems of the signature. Empty if it is valid.' },
    ),
    timestamp: Nullable(
      Type.Integer({ description: '`t` of the signature header. Null if it is missing or unreadable.' }),
    ),
    secondsOff: Nullable(
      Type.Integer({
        description:
          'Seconds from `t` to the time of receipt. More than 300 in either direction is rejected. Null without a readable `t`.',
      }),
    ),
    matched: Nullable(
      Type.Integer({ description: 'Number of the matching `v1`, counted from 1. Null if none matches.' }),
    ),
    expected: Nullable(
      Type.String({
        description:
          'Expected digest: the one that the given secret produces for `t`, a dot and the given body. Null without a readable `t`.',
      }),
    ),
  },
  { $id: 'Verification' },
)
