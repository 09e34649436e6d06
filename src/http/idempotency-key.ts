/** Supports the header `Idempotency-Key` as an alternative to the field of the same name (contract 6.4). */
import { invalidRequest } from '../domain/errors.ts'

const field = 'idempotencyKey'

/** Copies the key from the header into the body. Throws 400 if both are given and differ. */
export const takeKeyOfHeader = (request: Request, body: Record<string, unknown>): void => {
  const header = request.headers.get('idempotency-key')
  if (header === null) return
  if (!visible.test(header))
    throw invalidRequest({ [field]: 'In the header Idempotency-Key only ASCII will do; send it in the body.' })
  const key = unquoted(header)
  if (!Object.hasOwn(body, field)) body[field] = key
  else if (typeof body[field] === 'string' && body[field] !== key)
    throw invalidRequest({ [field]: 'Is not what the header Idempotency-Key says; send one of them, or both alike.' })
}

/** Visible ASCII. HTTP does not define an encoding for other bytes. */
const visible = /^[\x20-\x7e]*$/

/** Removes the quotation marks of clients that send a structured field string: `"order-1042"`. */
const unquoted = (header: string): string => /^"([^"\\]*)"$/.exec(header)?.[1] ?? header
