/** Credentials to connect a WhatsApp number. */
import { type Static, Type } from '@sinclair/typebox'
import { message } from '../../../schema.ts'
import { minSecretLength } from '../provider.ts'

const secret = (description: string, sentence: string, minLength = 1) =>
  Type.String({ minLength, maxLength: 1000, pattern: '^[!-~]*$', description, ...message(sentence) })

export const Credentials = Type.Object(
  {
    phoneNumberId: Type.String({
      minLength: 1,
      maxLength: 32,
      pattern: '^[0-9]*$',
      description: 'The id of the phone number in the WhatsApp Manager, not the number itself.',
      ...message('Must be the id of the phone number as the WhatsApp Manager shows it: digits alone, at most 32.'),
    }),
    accessToken: secret(
      'Of a system user, with which we send.',
      'Must be the access token of a system user: 1 to 1000 characters without white space.',
    ),
    appSecret: secret(
      'With which WhatsApp signs what it sends us.',
      'Must be the app secret, from the settings of the app: 16 to 1000 characters without white space.',
      minSecretLength,
    ),
    verifyToken: secret(
      'What WhatsApp repeats when the callback URL is entered.',
      'Must be the verify token, as it is entered beside the callback URL: 16 to 1000 characters without white space.',
      minSecretLength,
    ),
  },
  { additionalProperties: false, description: 'Of the app and its phone number.' },
)
export type Credentials = Static<typeof Credentials>
