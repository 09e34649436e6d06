/** Supports the header `Idempotency-Key` as an alternative to the field of the same name (contract 6.4). */
import { invalidRequest } from '../core/errors.ts'

const field = 'idempotencyKey'

/** Copies the key from the header into the body. Throws 400 if both are given and differ. */
export const copyKeyFromHeader = (request: Request, body: Record<string, unknown>): void => {
  const header = request.headers.get('idempotency-key')
  if (header === null) return
  if (!visibleAscii.test(header))
    throw invalidRequest({ [field]: 'The header Idempotency-Key must be ASCII. Send other keys in the body.' })
  const key = unquote(header)
  if (!Object.hasOwn(body, field)) body[field] = key
  else if (typeof body[field] === 'string' && body[field] !== key)
    throw invalidRequest({
      [field]: 'Differs from the header Idempotency-Key. Send one of them, or the same value in both.',
    })
}

/** Visible ASCII. HTTP does not define an encoding for other bytes. */
const visibleAscii = /^[\x20-\x7e]*$/

/** Removes the quotation marks of clients that send a structured field string: `"order-1042"`. */
const unquote = (header: string): string => /^"([^"\\]*)"$/.exec(header)?.[1] ?? header
