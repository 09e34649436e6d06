/** Meanings of the Cloud API's error codes. */
import { idOf, isObject, textOf } from '../outside.ts'
import type { Meaning, ProviderError } from '../refusals.ts'

/** Returns the error of a response or a status, or null if it has none. */
export const errorOf = (value: unknown): ProviderError | null => {
  if (!isObject(value) || (typeof value.code !== 'number' && typeof value.code !== 'string')) return null
  const details = isObject(value.error_data) ? textOf(value.error_data.details, 300) : null
  return {
    code: String(value.code).slice(0, 20),
    subcode: idOf(value.error_subcode) ?? (isMissingObject(value.message) ? missingObject : null),
    text: details ?? textOf(value.message, 300) ?? textOf(value.title, 300),
  }
}

/**
 * Subcode of code 100 for an object that is missing or not accessible. Code 100 alone means invalid parameters.
 */
const missingObject = '33'

const isMissingObject = (message: unknown): boolean =>
  typeof message === 'string' && message.slice(0, 500).includes('Object with ID') && message.includes('does not exist')

/** Returns the meaning of an error, or undefined if the HTTP status says everything. */
export const meaningOf = ({ code, subcode }: Pick<ProviderError, 'code' | 'subcode'>): Meaning | undefined => {
  if (code === '100' && subcode === missingObject) return unknownNumber
  if (Object.hasOwn(meanings, code)) return meanings[code]
  return code.length === 3 && code.startsWith('2') ? noPermission : undefined
}

const auth = (words: string): Meaning => ({ class: 'auth', words })
const retry = (words: string): Meaning => ({ class: 'retry', words })
const rate = (words: string): Meaning => ({ class: 'rate', words })
const permanent = (words: string): Meaning => ({ class: 'permanent', words })

const noPermission = auth('WhatsApp says that the access token lacks the permission to send messages')

/** Requests only address our own number, so a missing object is always this number. */
const unknownNumber = auth('WhatsApp does not know the phone number id, or the access token may not use it')

const meanings: Record<string, Meaning> = {
  0: auth('WhatsApp does not take the access token'),
  3: noPermission,
  10: noPermission,
  33: unknownNumber,
  190: auth('WhatsApp does not take the access token: it is wrong, was withdrawn or has expired'),
  368: auth('WhatsApp has blocked the account for breaking its policies'),
  131005: noPermission,
  131031: auth('WhatsApp has locked the account'),
  131042: auth('WhatsApp sends nothing for the account because of its means of payment'),
  131037: auth('WhatsApp has not approved the display name of the phone number yet'),
  131045: auth('WhatsApp says that the phone number is not registered as it should be'),
  133010: auth('The phone number is not registered with WhatsApp'),

  1: retry('WhatsApp had a fault of its own'),
  2: retry('WhatsApp could not be used for the moment'),
  131000: retry('WhatsApp had a fault of its own'),
  131016: retry('WhatsApp could not be used for the moment'),
  131057: retry('WhatsApp has the account under maintenance'),
  133004: retry('WhatsApp could not be used for the moment'),

  4: rate('WhatsApp takes no more calls of the app for now'),
  80007: rate('WhatsApp takes no more messages of the account for now'),
  130429: rate('WhatsApp takes no more messages a second'),
  131048: rate('WhatsApp limits the number because customers blocked or reported its messages'),
  // Concerns one customer only, so messages to other customers do not wait.
  131056: { class: 'retry', words: 'WhatsApp takes no more messages to this customer for now', retryAfterMs: 6000 },

  131047: {
    class: 'window',
    words: 'More than 24 hours have passed since the customer last wrote: WhatsApp takes only templates',
  },
  131050: { class: 'opted_out', words: 'The customer told WhatsApp to stop marketing messages from this number' },

  130472: permanent('WhatsApp left the message out: the customer is in an experiment of theirs'),
  131021: permanent('The message is to the number that it is from'),
  131026: permanent('WhatsApp cannot deliver to this customer: the number may not be on WhatsApp'),
  131049: permanent('WhatsApp kept the message back: the customer has had enough marketing for now'),
  131051: permanent('WhatsApp does not take messages of this type'),
  131062: permanent('WhatsApp does not take this message for a customer without a number'),
  132000: permanent('The template has another number of parameters'),
  132001: permanent('WhatsApp has no approved template of this name and language'),
  132005: permanent('The template is too long once its parameters are filled in'),
  132007: permanent('The template breaks a policy of WhatsApp'),
  132012: permanent('A parameter of the template is of the wrong format'),
  132015: permanent('WhatsApp has paused the template because of its quality'),
  132016: permanent('WhatsApp has disabled the template because of its quality'),
}
