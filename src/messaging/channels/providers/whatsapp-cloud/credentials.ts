/** Credentials to connect a WhatsApp number. */
import { type Static, Type } from '@sinclair/typebox'
import { errorMessage } from '../../../../core/schema.ts'
import { minSecretLength } from '../provider.ts'

const secret = (description: string, sentence: string, minLength = 1) =>
  Type.String({ minLength, maxLength: 1000, pattern: '^[!-~]*$', description, ...errorMessage(sentence) })

export const Credentials = Type.Object(
  {
    phoneNumberId: Type.String({
      minLength: 1,
      maxLength: 32,
      pattern: '^[0-9]*$',
      description: 'ID of the phone number in the WhatsApp Manager. This is not the number itself.',
      ...errorMessage('Must be the ID of the phone number from WhatsApp Manager: 1 to 32 digits.'),
    }),
    accessToken: secret(
      'Access token of a system user, used to send messages.',
      'Must be the access token of a system user: 1 to 1000 characters without white space.',
    ),
    appSecret: secret(
      'App secret. WhatsApp signs its callbacks with it.',
      'Must be the app secret, from the settings of the app: 16 to 1000 characters without white space.',
      minSecretLength,
    ),
    verifyToken: secret(
      'Token that WhatsApp repeats when you enter the callback URL.',
      'Must be the verify token that you enter with the callback URL: 16 to 1000 characters without white space.',
      minSecretLength,
    ),
  },
  { additionalProperties: false, description: 'Credentials of the app and its phone number.' },
)
export type Credentials = Static<typeof Credentials>
