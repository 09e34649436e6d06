/** Credentials to connect a number or a messaging service of Twilio. */
import { type Static, Type } from '@sinclair/typebox'
import { errorMessage } from '../../../../core/schema.ts'
import { minSecretLength } from '../provider.ts'

const account = {
  accountSid: Type.String({
    maxLength: 64,
    pattern: '^AC[0-9A-Za-z]+$',
    description: 'SID of the account.',
    ...errorMessage('Must be the SID of the account, which begins with AC.'),
  }),
  authToken: Type.String({
    minLength: minSecretLength,
    maxLength: 1000,
    pattern: '^[!-~]*$',
    description: 'Primary auth token. Twilio signs its callbacks with it.',
    ...errorMessage('Must be the auth token of the account: 16 to 1000 characters without white space.'),
  }),
}

const From = Type.String({
  maxLength: 30,
  pattern: '^(whatsapp:)?\\+[1-9][0-9]{6,14}$|^[0-9]{3,8}$|^(?=.*[A-Za-z])[0-9A-Za-z ]{1,11}$',
  description: 'An E.164 number, a short code or a sender name. For WhatsApp by Twilio: `whatsapp:` and the number.',
  ...errorMessage(
    'Must be a number such as +15551234567, a short code of 3 to 8 digits, or a sender name of at most 11 letters and digits.',
  ),
})

const MessagingServiceSid = Type.String({
  maxLength: 64,
  pattern: '^MG[0-9A-Za-z]+$',
  description: 'SID of the messaging service that sends.',
  ...errorMessage('Must be the SID of a messaging service, which begins with MG.'),
})

const strict = { additionalProperties: false }

export const Credentials = Type.Union(
  [
    Type.Object({ ...account, from: From }, { ...strict, $id: 'TwilioNumberCredentials' }),
    Type.Object(
      { ...account, messagingServiceSid: MessagingServiceSid },
      { ...strict, $id: 'TwilioServiceCredentials' },
    ),
  ],
  {
    description: 'Credentials of the account, with the number or the messaging service that sends.',
    ...errorMessage('Must be an object with accountSid, authToken and exactly one of from and messagingServiceSid.'),
  },
)
export type Credentials = Static<typeof Credentials>
