/** Meanings of Twilio's error codes. */
import { isObject, textOf } from '../outside.ts'
import type { Meaning, ProviderError } from '../refusals.ts'

/** Returns the error of a response, or null if it has none. */
export const errorOf = (body: unknown): ProviderError | null =>
  isObject(body) && typeof body.code === 'number'
    ? { code: String(body.code).slice(0, 20), text: textOf(body.message, 300) }
    : null

/** Returns the meaning of a code, or undefined if the HTTP status says everything. */
export const meaningOf = (code: string): Meaning | undefined =>
  Object.hasOwn(meanings, code) ? meanings[code] : undefined

/** Like `meaningOf`, for messages sent from `from`; undefined is a messaging service. */
export const meaningFor =
  (from: string | undefined) =>
  ({ code }: ProviderError): Meaning | undefined =>
    ofTheSender.has(code) && from !== undefined && isShortCode(from) ? notFromShortCode : meaningOf(code)

const isShortCode = (from: string): boolean => /^[0-9]{1,11}$/.test(from)

/**
 * Codes about the sender. For a short code they can concern only the customer's country, so other messages must not
 * wait.
 */
const ofTheSender = new Set(['21606', '21659'])

const auth = (words: string): Meaning => ({ class: 'auth', words })
const rate = (words: string): Meaning => ({ class: 'rate', words })
const permanent = (words: string): Meaning => ({ class: 'permanent', words })

const notFromShortCode = permanent('Twilio cannot bring a message from this short code to that number')

const meanings: Record<string, Meaning> = {
  10001: auth('The account is not active with Twilio'),
  20003: auth('Twilio does not take the account SID and auth token'),
  20005: auth('The account is not active with Twilio'),
  20006: auth('The account may not do this with Twilio'),
  20008: auth('The account SID and auth token are those for tests, which send nothing'),
  20404: auth('Twilio does not know the account'),
  21212: auth('The number it is from is not valid'),
  21601: auth('The number it is from cannot send texts'),
  21603: auth('The number it is from is missing or is none'),
  21606: auth('The number it is from is not one of the account that can send texts'),
  21659: auth('The number it is from is not one of the account'),
  21660: auth('The number it is from belongs to another account'),
  21661: auth('The number it is from cannot send texts'),
  21701: auth('Twilio does not know the messaging service'),
  21704: auth('The messaging service has no number to send from'),
  21705: auth('Twilio does not know the messaging service'),
  30002: auth('Twilio has suspended the account'),
  63007: auth('Twilio knows no sender by the address it is from'),
  90010: auth('The account is not active with Twilio'),

  14107: rate('Twilio takes no more messages a second'),
  20429: rate('Twilio takes no more calls at once'),
  21611: rate('Too many messages of this number wait at Twilio already'),
  30001: rate('Too many messages wait at Twilio already'),
  30022: rate('The mobile network takes no more messages of this number for now'),
  63018: rate('WhatsApp takes no more messages of this number for now'),

  21610: { class: 'opted_out', words: 'The customer told Twilio to stop messages from this number' },
  63016: {
    class: 'window',
    words: 'More than 24 hours have passed since the customer last wrote: WhatsApp takes only templates',
  },

  21211: permanent('The number it is to is not valid'),
  21408: permanent('The account may not send texts to this country'),
  21602: permanent('The message has no text'),
  21612: permanent('Twilio cannot bring a message from this number to that one'),
  21614: permanent('The number it is to cannot receive texts'),
  21617: permanent('The text is longer than 1600 characters'),
  21635: permanent('The number it is to is a landline'),
  30003: permanent('The phone of the customer could not be reached'),
  30004: permanent('The phone of the customer, or its network, blocks the message'),
  30005: permanent('Nobody has the number it is to any more'),
  30006: permanent('The number it is to is a landline, or its network takes no texts'),
  30007: permanent('The mobile network took the message for unwanted and kept it back'),
  30008: permanent('The mobile network did not deliver it, and did not say why'),
  30034: permanent('The number it is from is not registered for texts in the United States'),
}
