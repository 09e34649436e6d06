import { type Static, Type } from '@sinclair/typebox'
import { ByName, described, message, Nullable } from '../schema.ts'
import { problemCodes } from './diagnosis.ts'

/** Maximum body length in characters. Larger than any delivery, so that a changed body can be analyzed. */
const maxBodyLength = 128 * 1024

export const VerifyWebhook = Type.Object(
  {
    secret: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'The endpoint’s secret, as your receiver has it. It is neither kept nor logged.',
      ...message('Must be the secret, a text of 1 to 500 characters.'),
    }),
    headers: ByName(Type.String({ maxLength: 8192, ...message('Must be a text of at most 8192 characters.') }), {
      maxProperties: 100,
      description: 'The headers that came with it, or those that begin with X-Service-. Names in any case.',
      ...message('Must be an object of at most 100 header names and their values.'),
    }),
    body: Type.String({
      maxLength: maxBodyLength,
      description: 'The raw body, as it came in.',
      ...message(`Must be the raw body as a text of at most ${maxBodyLength} characters.`),
    }),
    at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When it came in; now, if left out.',
        ...message('Must be a time such as 2026-03-01T09:30:02Z.'),
      }),
    ),
  },
  { additionalProperties: false, $id: 'VerifyWebhook' },
)
export type VerifyWebhook = Static<typeof VerifyWebhook>

export const Verification = Type.Object(
  {
    valid: described(Type.Boolean(), 'A receiver should accept it.'),
    problems: Type.Array(
      Type.Object({
        code: described(Type.Union(problemCodes.map(code => Type.Literal(code))), 'What is wrong, for programs.'),
        message: Type.String({ description: 'What is wrong and what to do about it.' }),
      }),
      { description: 'Empty where it is valid.' },
    ),
    timestamp: Nullable(Type.Integer({ description: '`t` of the header.' })),
    secondsOff: Nullable(
      Type.Integer({ description: 'From `t` to the time of receipt; more than 300 either way is refused.' }),
    ),
    matched: Nullable(Type.Integer({ description: 'Which `v1` fits, counted from 1.' })),
    expected: Nullable(
      Type.String({ description: 'The digest that the secret as given makes of `t`, a dot and the body as given.' }),
    ),
  },
  { $id: 'Verification' },
)
