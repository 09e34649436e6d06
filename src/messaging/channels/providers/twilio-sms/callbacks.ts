/** Verification of Twilio callbacks. */
import { createHash } from 'node:crypto'
import { invalidRequest } from '../../../../core/errors.ts'
import { hmac, isSame } from '../digest.ts'
import type { CallbackRequest, Callbacks } from '../provider.ts'
import type { Credentials } from './credentials.ts'
import { read } from './read.ts'

/**
 * Maximum number of parameters, far above what Twilio sends. Sorting more would cost too much time before the sender is
 * verified.
 */
const maxParameters = 2000

const signatureHeader = 'x-twilio-signature'

/** Bodies that are not forms are signed by their digest in this query parameter. */
const digestParameter = 'bodySHA256'

const verify = ({ url, headers, body }: CallbackRequest, { authToken }: Credentials): boolean => {
  if (!URL.canParse(url)) return false
  const digest = new URL(url).searchParams.get(digestParameter)
  const parameters = digest === null ? signedParameters(body) : ''
  const isComplete = digest === null || isSame(digest, createHash('sha256').update(body).digest('hex'))
  const signature = headers.get(signatureHeader) ?? ''
  const isSigned = urlVariants(url)
    .map(variant => isSame(signature, hmac('sha1', authToken, variant + parameters).toString('base64')))
    .includes(true)
  return isSigned && isComplete
}

/**
 * Concatenates names and values, sorted by name. Repeated values of a name are included once. Throws 400 (DomainError)
 * above `maxParameters`, because such a callback cannot be verified.
 */
const signedParameters = (body: Uint8Array): string => {
  const text = new TextDecoder().decode(body)
  if (text.split('&', maxParameters + 1).length > maxParameters)
    throw invalidRequest({ body: `Must have at most ${maxParameters} parameters.` })
  const byName = Map.groupBy(new URLSearchParams(text), ([name]) => name)
  return [...byName.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, pairs]) => [...new Set(pairs.map(([, value]) => value))].sort().map(value => name + value))
    .join('')
}

/** Returns the URL with and without its port: some of Twilio's signatures include the default port, others no port. */
const urlVariants = (url: string): string[] => {
  const begin = url.indexOf('//') + 2
  const slash = url.indexOf('/', begin)
  const end = slash === -1 ? url.length : slash
  const host = url.slice(begin, end).replace(/:\d+$/, '')
  const port = new URL(url).port || (url.startsWith('https:') ? '443' : '80')
  return [...new Set([url, ...[`${host}:${port}`, host].map(name => url.slice(0, begin) + name + url.slice(end))])]
}

export const callbacks: Callbacks<Credentials> = {
  name: 'twilio',
  setup:
    'In the Twilio Console, open your number or messaging service. Enter this URL with HTTP POST for incoming messages. Message statuses need no setup.',
  description:
    'Receives callbacks from Twilio, signed in X-Twilio-Signature. The signature covers the public URL of the service (`PUBLIC_URL`).',
  mediaType: 'application/x-www-form-urlencoded',
  signatureHeader,
  verify,
  read,
  response: { contentType: 'text/xml; charset=utf-8', body: '<Response/>' },
}
