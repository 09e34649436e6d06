/** Credentials to connect a number or a messaging service of Twilio. */
import { type Static, Type } from '@sinclair/typebox'
import { errorMessage } from '../../../../core/schema.ts'
import { credential, minSecretLength } from '../provider.ts'

const account = {
  accountSid: credential({
    label: 'Account SID',
    description: 'In the Twilio Console under Account info. Starts with AC.',
    maxLength: 64,
    pattern: '^AC[0-9A-Za-z]+$',
    error: 'Must be the SID of the account, which begins with AC.',
    example: 'AC00000000000000000000000000000000',
  }),
  authToken: credential({
    label: 'Auth token',
    description: 'The primary token of the account, below its SID. Twilio signs its callbacks with it.',
    secret: true,
    minLength: minSecretLength,
    maxLength: 1000,
    pattern: '^[!-~]*$',
    error: 'Must be the auth token of the account: 16 to 1000 characters without white space.',
    example: '00000000000000000000000000000000',
  }),
}

const From = credential({
  label: 'Number or sender name',
  description:
    'An E.164 number, a short code or a sender name. For WhatsApp by Twilio, write whatsapp: before the number.',
  maxLength: 30,
  pattern: '^(whatsapp:)?\\+[1-9][0-9]{6,14}$|^[0-9]{3,8}$|^(?=.*[A-Za-z])[0-9A-Za-z ]{1,11}$',
  error:
    'Must be a number such as +15551234567, a short code of 3 to 8 digits, or a sender name of at most 11 letters and digits.',
  example: '+15005550006',
})

const MessagingServiceSid = credential({
  label: 'Messaging service SID',
  description: 'In the Twilio Console under Messaging › Services. Starts with MG.',
  maxLength: 64,
  pattern: '^MG[0-9A-Za-z]+$',
  error: 'Must be the SID of a messaging service, which begins with MG.',
  example: 'MG00000000000000000000000000000000',
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
