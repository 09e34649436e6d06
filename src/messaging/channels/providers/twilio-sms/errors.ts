/** Meanings of Twilio's error codes. */
import { isObject, parseText } from '../parsers.ts'
import type { Meaning, ProviderError } from '../send-result.ts'

/** Returns the error of a response, or null if it has none. */
export const parseError = (body: unknown): ProviderError | null =>
  isObject(body) && typeof body.code === 'number'
    ? { code: String(body.code).slice(0, 20), text: parseText(body.message, 300) }
    : null

/** Returns the meaning of a code, or undefined if the HTTP status says everything. */
export const findMeaning = (code: string): Meaning | undefined =>
  Object.hasOwn(meanings, code) ? meanings[code] : undefined

/** Like `findMeaning`, for messages sent from `from`; undefined is a messaging service. */
export const meaningForSender =
  (from: string | undefined) =>
  ({ code }: ProviderError): Meaning | undefined =>
    senderCodes.has(code) && from !== undefined && isShortCode(from) ? notFromShortCode : findMeaning(code)

const isShortCode = (from: string): boolean => /^[0-9]{1,11}$/.test(from)

/**
 * Codes about the sender. For a short code they can concern only the customer's country, so other messages must not
 * wait.
 */
const senderCodes = new Set(['21606', '21659'])

const auth = (words: string): Meaning => ({ class: 'auth', words })
const rate = (words: string): Meaning => ({ class: 'rate', words })
const permanent = (words: string): Meaning => ({ class: 'permanent', words })

const notFromShortCode = permanent('Twilio cannot deliver from this short code to that number')

const meanings: Record<string, Meaning> = {
  10001: auth('The account is not active with Twilio'),
  20003: auth('Twilio rejected the account SID and auth token'),
  20005: auth('The account is not active with Twilio'),
  20006: auth('The account does not have permission for this at Twilio'),
  20008: auth('The account SID and auth token are test credentials, which send nothing'),
  20404: auth('Twilio does not know the account'),
  21212: auth('The sender number is not valid'),
  21601: auth('The sender number cannot send texts'),
  21603: auth('The sender number is missing or not a number'),
  21606: auth('The sender number does not belong to the account, or cannot send texts'),
  21659: auth('The sender number does not belong to the account'),
  21660: auth('The sender number belongs to another account'),
  21661: auth('The sender number cannot send texts'),
  21701: auth('Twilio does not know the messaging service'),
  21704: auth('The messaging service has no number to send from'),
  21705: auth('Twilio does not know the messaging service'),
  30002: auth('Twilio has suspended the account'),
  63007: auth('Twilio does not know the sender address'),
  90010: auth('The account is not active with Twilio'),

  14107: rate('The rate limit of Twilio for messages per second is reached'),
  20429: rate('The limit of Twilio for concurrent calls is reached'),
  21611: rate('The queue of this number at Twilio is full'),
  30001: rate('The queue at Twilio is full'),
  30022: rate('The mobile network temporarily limits messages from this number'),
  63018: rate('WhatsApp temporarily limits messages from this number'),

  21610: { class: 'opted_out', words: 'The customer told Twilio to stop messages from this number' },
  63016: {
    class: 'window',
    words: 'More than 24 hours have passed since the customer last wrote: WhatsApp only accepts templates',
  },

  21211: permanent('The recipient number is not valid'),
  21408: permanent('The account does not have permission to send texts to this country'),
  21602: permanent('The message has no text'),
  21612: permanent('Twilio cannot deliver from this number to the recipient number'),
  21614: permanent('The recipient number cannot receive texts'),
  21617: permanent('The text is longer than 1600 characters'),
  21635: permanent('The recipient number is a landline'),
  30003: permanent('The phone of the customer could not be reached'),
  30004: permanent('The phone of the customer, or its network, blocks the message'),
  30005: permanent('The recipient number is no longer in use'),
  30006: permanent('The recipient number is a landline, or its network does not accept texts'),
  30007: permanent('The mobile network filtered the message as spam'),
  30008: permanent('The mobile network did not deliver it and gave no reason'),
  30034: permanent('The sender number is not registered for texts in the United States'),
}
