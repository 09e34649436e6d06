/** The header `Idempotency-Key`, which stands for the field of the same name (contract 6.4). */
import { invalidRequest } from '../domain/errors.ts'

const field = 'idempotencyKey'

/** Puts the key of the header into the body; 400 where both are given and differ. */
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

/** What the bytes of any other character are to be read as is not said anywhere. */
const visible = /^[\x20-\x7e]*$/

/** Some write it as a string of structured fields: `"order-1042"`. */
const unquoted = (header: string): string => /^"([^"\\]*)"$/.exec(header)?.[1] ?? header
