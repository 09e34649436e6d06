import { type Static, Type } from '@sinclair/typebox'
import { errorMessage, Nullable, StringMap, withDescription } from '../../core/schema.ts'
import { problemCodes, schemes } from './received.ts'

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
        description:
          'Headers of the delivery, or only those that begin with X-Service- or webhook-. Names are case-insensitive.',
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

const problems = (description: string) =>
  Type.Array(
    Type.Object({
      code: withDescription(Type.Union(problemCodes.map(code => Type.Literal(code))), 'Problem code, for programs.'),
      message: Type.String({ description: 'The problem, and how to solve it.' }),
    }),
    { description },
  )

const scheme = withDescription(
  Type.Union(schemes.map(one => Type.Literal(one))),
  'Checked scheme: `service` is `X-Service-Signature`, `standard` the headers of Standard Webhooks.',
)

/** Fields of one check. */
const checkFields = {
  timestamp: Nullable(
    Type.Integer({ description: 'Signed time in unix seconds. Null if it is missing or unreadable.' }),
  ),
  secondsOff: Nullable(
    Type.Integer({
      description:
        'Seconds from the signed time to the time of receipt. More than 300 in either direction is rejected. Null without a readable time.',
    }),
  ),
  matched: Nullable(
    Type.Integer({ description: 'Number of the matching `v1`, counted from 1. Null if none matches.' }),
  ),
  expected: Nullable(
    Type.String({
      description:
        'Expected digest: the one that the given secret produces for the signed time and the given body, hexadecimal for `service` and base64 for `standard`. Null without a readable time.',
    }),
  ),
}

export const SignatureSchemeCheck = Type.Object(
  {
    scheme,
    valid: withDescription(Type.Boolean(), 'Whether a receiver that checks this scheme should accept the delivery.'),
    problems: problems(
      'Problems of this scheme. If it is valid, the only possible one is `secret_not_standard`: the secret has an earlier form that most libraries cannot read.',
    ),
    ...checkFields,
  },
  { $id: 'SignatureSchemeCheck' },
)

export const Verification = Type.Object(
  {
    valid: withDescription(Type.Boolean(), 'Whether a receiver should accept the delivery. False if any check failed.'),
    problems: problems('Problems of all failed checks, one for each code. Empty if it is valid.'),
    ...checkFields,
    scheme,
    checks: Type.Array(SignatureSchemeCheck, {
      description:
        'One check for each scheme whose headers are present. `timestamp`, `secondsOff`, `matched`, `expected` and `scheme` above are those of the first.',
    }),
  },
  { $id: 'Verification' },
)
