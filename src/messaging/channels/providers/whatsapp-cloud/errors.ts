/** Meanings of the Cloud API's error codes. */
import { isObject, parseId, parseText } from '../parsers.ts'
import type { Meaning, ProviderError } from '../send-result.ts'

/** Returns the error of a response or a status, or null if it has none. */
export const parseError = (value: unknown): ProviderError | null => {
  if (!isObject(value) || (typeof value.code !== 'number' && typeof value.code !== 'string')) return null
  const details = isObject(value.error_data) ? parseText(value.error_data.details, 300) : null
  return {
    code: String(value.code).slice(0, 20),
    subcode: parseId(value.error_subcode) ?? (isMissingObject(value.message) ? missingObject : null),
    text: details ?? parseText(value.message, 300) ?? parseText(value.title, 300),
  }
}

/**
 * Subcode of code 100 for an object that is missing or not accessible. Code 100 alone means invalid parameters.
 */
const missingObject = '33'

const isMissingObject = (message: unknown): boolean =>
  typeof message === 'string' && message.slice(0, 500).includes('Object with ID') && message.includes('does not exist')

/** Returns the meaning of an error, or undefined if the HTTP status says everything. */
export const findMeaning = ({ code, subcode }: Pick<ProviderError, 'code' | 'subcode'>): Meaning | undefined => {
  if (code === '100' && subcode === missingObject) return unknownNumber
  if (Object.hasOwn(meanings, code)) return meanings[code]
  return code.length === 3 && code.startsWith('2') ? noPermission : undefined
}

const auth = (words: string): Meaning => ({ class: 'auth', words })
const retry = (words: string): Meaning => ({ class: 'retry', words })
const rate = (words: string): Meaning => ({ class: 'rate', words })
const permanent = (words: string): Meaning => ({ class: 'permanent', words })

const noPermission = auth('WhatsApp reports that the access token lacks permission to send messages')

/** Requests only address our own number, so a missing object is always this number. */
const unknownNumber = auth('WhatsApp does not know the phone number ID, or the access token lacks permission for it')

const meanings: Record<string, Meaning> = {
  0: auth('WhatsApp rejected the access token'),
  3: noPermission,
  10: noPermission,
  33: unknownNumber,
  190: auth('WhatsApp rejected the access token: it is wrong, revoked or expired'),
  368: auth('WhatsApp has blocked the account for breaking its policies'),
  131005: noPermission,
  131031: auth('WhatsApp has locked the account'),
  131042: auth('WhatsApp does not send for the account because of a payment problem'),
  131037: auth('WhatsApp has not approved the display name of the phone number yet'),
  131045: auth('WhatsApp reports that the phone number is not registered correctly'),
  133010: auth('The phone number is not registered with WhatsApp'),

  1: retry('WhatsApp had an internal error'),
  2: retry('WhatsApp is temporarily unavailable'),
  131000: retry('WhatsApp had an internal error'),
  131016: retry('WhatsApp is temporarily unavailable'),
  131057: retry('WhatsApp is maintaining the account'),
  133004: retry('WhatsApp is temporarily unavailable'),

  4: rate('The rate limit of WhatsApp for calls of the app is reached'),
  80007: rate('The rate limit of WhatsApp for messages of the account is reached'),
  130429: rate('The rate limit of WhatsApp for messages per second is reached'),
  131048: rate('WhatsApp limits the number because customers blocked or reported its messages'),
  // Concerns one customer only, so messages to other customers do not wait.
  131056: { class: 'retry', words: 'WhatsApp temporarily limits messages to this customer', retryAfterMs: 6000 },

  131047: {
    class: 'window',
    words: 'More than 24 hours have passed since the customer last wrote: WhatsApp only accepts templates',
  },
  131050: { class: 'opted_out', words: 'The customer told WhatsApp to stop marketing messages from this number' },

  130472: permanent('WhatsApp did not send the message: the customer is part of an experiment by Meta'),
  131021: permanent('The recipient number is the sender number'),
  131026: permanent('WhatsApp cannot deliver to this customer: the number may not be on WhatsApp'),
  131049: permanent('WhatsApp did not deliver the message: the customer received too many marketing messages'),
  131051: permanent('WhatsApp does not accept messages of this type'),
  131062: permanent('WhatsApp does not accept this message for a customer without a number'),
  132000: permanent('The number of parameters does not match the template'),
  132001: permanent('WhatsApp has no approved template of this name and language'),
  132005: permanent('The template with its parameters is too long'),
  132007: permanent('The template breaks a policy of WhatsApp'),
  132012: permanent('A parameter of the template has the wrong format'),
  132015: permanent('WhatsApp has paused the template because of its quality'),
  132016: permanent('WhatsApp has disabled the template because of its quality'),
}
