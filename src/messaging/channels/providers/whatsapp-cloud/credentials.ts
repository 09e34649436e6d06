/** Credentials to connect a WhatsApp number. */
import { type Static, Type } from '@sinclair/typebox'
import { credential, minSecretLength } from '../provider.ts'

/** Limits of tokens and secrets: printable ASCII without spaces. */
const token = { minLength: 1, maxLength: 1000, pattern: '^[!-~]*$' }

export const Credentials = Type.Object(
  {
    phoneNumberId: credential({
      label: 'Phone number ID',
      description: 'In the Meta app dashboard under WhatsApp › API Setup. This is not the phone number.',
      minLength: 1,
      maxLength: 32,
      pattern: '^[0-9]*$',
      error: 'Must be the ID of the phone number from WhatsApp Manager: 1 to 32 digits.',
      example: '106540352242922',
    }),
    accessToken: credential({
      label: 'Access token',
      description:
        'Use a permanent token: Business settings › System users › Generate token, with the permission whatsapp_business_messaging.',
      secret: true,
      ...token,
      error: 'Must be the access token of a system user: 1 to 1000 characters without white space.',
      example: 'EAAGexampleOfAPermanentToken',
    }),
    appSecret: credential({
      label: 'App secret',
      description: 'In App settings › Basic. Meta signs its callbacks with it.',
      secret: true,
      ...token,
      minLength: minSecretLength,
      error: 'Must be the app secret, from the settings of the app: 16 to 1000 characters without white space.',
      example: '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
    }),
    verifyToken: credential({
      label: 'Verify token',
      description: 'Choose at least 16 characters. Keep the token: you enter it at Meta with the callback URL.',
      ...token,
      minLength: minSecretLength,
      error:
        'Must be the verify token that you enter with the callback URL: 16 to 1000 characters without white space.',
      example: 'shop-verify-token',
    }),
  },
  { additionalProperties: false, description: 'Credentials of the app and its phone number.' },
)
export type Credentials = Static<typeof Credentials>
